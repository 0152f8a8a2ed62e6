<?php
/**
 * What makes many sites of one tree: uploads of their own, and WP-Cron only
 * where the test asked for it (the option wptest_cron).
 */

add_filter( 'pre_option_upload_path', fn() => wptest_folder( WPTEST_SITE ) . '/uploads' );
add_filter( 'pre_option_upload_url_path', fn() => WP_HOME . '/wp-content/uploads' );

// The pages of a site start no WP-Cron of their own; wp-cron.php asked for directly still works.
define( 'DISABLE_WP_CRON', ! get_option( 'wptest_cron' ) );

// A plugin's post type, taxonomy and meta keys (the option wptest_plugin).
add_action( 'init', function () {
	if ( ! get_option( 'wptest_plugin' ) ) {
		return;
	}
	register_taxonomy( 'genre', array( 'post', 'podcast' ), array( 'show_in_rest' => true, 'rest_base' => 'genres' ) );
	register_post_type( 'podcast', array(
		'public'       => true,
		'show_in_rest' => true,
		'rest_base'    => 'podcasts',
		'supports'     => array( 'title', 'editor', 'excerpt', 'author', 'custom-fields' ),
	) );
	foreach ( array( 'mood' => 'string', 'views' => 'integer', 'score' => 'number', 'shown' => 'boolean' ) as $key => $type ) {
		register_post_meta( 'post', $key, array( 'show_in_rest' => true, 'single' => true, 'type' => $type ) );
	}
} );
