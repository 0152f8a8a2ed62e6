<?php
/**
 * The wp-config.php of every tree and site. The router has defined WPTEST_SITE.
 */

define( 'DB_NAME', 'site_' . WPTEST_SITE );
define( 'DB_USER', 'root' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', 'localhost:' . getenv( 'WPTEST_SOCKET' ) );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );

// From the Host header, so that a proxy in front of the site is the site.
define( 'WP_HOME', 'http://' . $_SERVER['HTTP_HOST'] . '/' . WPTEST_SITE );
define( 'WP_SITEURL', WP_HOME );

// Application passwords over plain http need a local site.
define( 'WP_ENVIRONMENT_TYPE', 'local' );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'AUTOMATIC_UPDATER_DISABLED', true );
define( 'WPMU_PLUGIN_DIR', __DIR__ . '/mu-plugins' );

foreach ( [ 'AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE' ] as $wptest_key ) {
	define( $wptest_key . '_KEY', 'test only ' . $wptest_key );
	define( $wptest_key . '_SALT', 'test only salt ' . $wptest_key );
}

$table_prefix = 'wp_';

require_once ABSPATH . 'wp-settings.php';
