<?php
/**
 * What makes many sites of one tree: uploads of their own, and WP-Cron only
 * where the test asked for it (the option wptest_cron).
 */

add_filter( 'pre_option_upload_path', fn() => wptest_folder( WPTEST_SITE ) . '/uploads' );
add_filter( 'pre_option_upload_url_path', fn() => WP_HOME . '/wp-content/uploads' );

// The pages of a site start no WP-Cron of their own; wp-cron.php asked for directly still works.
define( 'DISABLE_WP_CRON', ! get_option( 'wptest_cron' ) );
