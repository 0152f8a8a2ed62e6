<?php
/**
 * Control endpoint of the Go package: POST /_wptest/SITE/ACTION with a JSON
 * object, answered with JSON. Required by the router in the global scope.
 */

/** Answers and ends the request. */
function wptest_answer( int $code, $value ): void {
	http_response_code( $code );
	header( 'Content-Type: application/json' );
	echo json_encode( $value, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE );
	exit;
}

/** Passes a value on, or ends the request with what WordPress said was wrong. */
function wptest_must( $value ) {
	if ( is_wp_error( $value ) ) {
		wptest_answer( 400, [ 'error' => $value->get_error_message() ] );
	}
	return $value;
}

function wptest_db( string $database = '' ): mysqli {
	$db = new mysqli( 'localhost', 'root', '', $database, 0, getenv( 'WPTEST_SOCKET' ) );
	$db->set_charset( 'utf8mb4' );
	return $db;
}

/** Copies the tables of one site's database into a new one. */
function wptest_clone( string $from ): array {
	$to = 's' . bin2hex( random_bytes( 4 ) );
	$db = wptest_db( 'site_' . $from );
	$db->query( "CREATE DATABASE site_$to" );
	foreach ( $db->query( 'SHOW TABLES' )->fetch_all() as [ $table ] ) {
		$db->query( "CREATE TABLE site_$to.$table LIKE $table" );
		$db->query( "INSERT INTO site_$to.$table SELECT * FROM $table" );
	}
	mkdir( wptest_folder( $to ) . '/uploads', 0700, true );
	return [ 'site' => $to ];
}

function wptest_drop( string $site ): array {
	wptest_db()->query( "DROP DATABASE site_$site" );
	$files = new RecursiveIteratorIterator(
		new RecursiveDirectoryIterator( wptest_folder( $site ), FilesystemIterator::SKIP_DOTS ),
		RecursiveIteratorIterator::CHILD_FIRST
	);
	foreach ( $files as $file ) {
		$file->isDir() ? rmdir( $file ) : unlink( $file );
	}
	rmdir( wptest_folder( $site ) );
	return [];
}

/** Every post of a type straight from the database, oldest id first. */
function wptest_posts( string $site, string $type ): array {
	$db    = wptest_db( 'site_' . $site );
	$query = $db->prepare(
		'SELECT p.ID AS id, post_type AS type, post_status AS status, post_name AS slug, post_title AS title,
			post_content AS content, post_excerpt AS excerpt, u.user_login AS author,
			post_date AS date, post_date_gmt AS date_gmt, post_modified AS modified
		FROM wp_posts p LEFT JOIN wp_users u ON u.ID = p.post_author WHERE post_type = ? ORDER BY p.ID'
	);
	$query->execute( [ $type ] );
	return $query->get_result()->fetch_all( MYSQLI_ASSOC );
}

function wptest_requests( string $site ): array {
	$file  = wptest_folder( $site ) . '/requests.jsonl';
	$lines = is_file( $file ) ? file( $file, FILE_IGNORE_NEW_LINES ) : [];
	return array_map( 'json_decode', $lines );
}

/** Makes the site: tables, an editor with an application password, pretty permalinks. */
function wptest_install(): array {
	require_once ABSPATH . 'wp-admin/includes/upgrade.php';
	[ 'user_id' => $admin ] = wp_install( 'Test', 'admin', 'admin@example.org', true, '', 'admin' );
	// No guide in front of the block editor.
	update_user_meta( $admin, 'wp_persisted_preferences', [
		'core/edit-post' => [ 'welcomeGuide' => false ],
		'_modified'      => gmdate( 'c' ),
	] );
	// The posts and pages of a new site would stand in every list.
	foreach ( get_posts( [ 'post_type' => 'any', 'post_status' => 'any', 'numberposts' => -1 ] ) as $post ) {
		wp_delete_post( $post->ID, true );
	}
	// The ids of a clone begin anew, and one of them would be the privacy page, which no editor may edit.
	update_option( 'wp_page_for_privacy_policy', 0 );
	wptest_permalinks( '/%year%/%monthnum%/%day%/%postname%/' );
	return wptest_user( [ 'login' => 'editor', 'role' => 'editor' ] );
}

function wptest_permalinks( string $structure ): array {
	global $wp_rewrite;
	$wp_rewrite->init();
	$wp_rewrite->set_permalink_structure( $structure );
	flush_rewrite_rules( false );
	return [];
}

function wptest_options( array $options ): array {
	foreach ( $options as $name => $value ) {
		update_option( $name, $value );
	}
	return [];
}

function wptest_user( array $in ): array {
	$id = wptest_must( wp_insert_user( [
		'user_login' => $in['login'],
		'user_pass'  => wp_generate_password(),
		'user_email' => $in['login'] . '@example.org',
		'role'       => $in['role'],
	] ) );
	[ $password ] = wptest_must( WP_Application_Passwords::create_new_application_password( $id, [ 'name' => 'test' ] ) );
	return [ 'id' => $id, 'password' => $password ];
}

/** Inserts or updates a post the way a person at the dashboard would: as that user, with the filters of their rights. */
function wptest_save( array $in ): array {
	$user = get_user_by( 'login', $in['user'] );
	if ( ! $user ) {
		wptest_answer( 400, [ 'error' => 'no user ' . $in['user'] ] );
	}
	wp_set_current_user( $user->ID );
	$post = $in['post'];
	if ( isset( $post['post_date_gmt'] ) ) {
		$post['post_date'] = get_date_from_gmt( $post['post_date_gmt'] );
		$post['edit_date'] = true;
	}
	$post = wp_slash( $post );
	return [ 'id' => wptest_must( isset( $post['ID'] ) ? wp_update_post( $post, true ) : wp_insert_post( $post, true ) ) ];
}

/** Moves a post in time, with its WP-Cron event, and touches nothing else. */
function wptest_move( int $id, string $gmt ): array {
	global $wpdb;
	$wpdb->update( $wpdb->posts, [ 'post_date' => get_date_from_gmt( $gmt ), 'post_date_gmt' => $gmt ], [ 'ID' => $id ] );
	if ( wp_clear_scheduled_hook( 'publish_future_post', [ $id ] ) ) {
		wp_schedule_single_event( strtotime( $gmt . ' GMT' ), 'publish_future_post', [ $id ] );
	}
	return [];
}

/** Makes all posts look untouched for so much longer; drafts without a date of their own go along. */
function wptest_age( int $seconds ): array {
	global $wpdb;
	$wpdb->query( $wpdb->prepare(
		"UPDATE $wpdb->posts SET post_date = IF( post_status = 'draft' AND post_date = post_modified, post_date - INTERVAL %d SECOND, post_date ),
			post_modified = post_modified - INTERVAL %d SECOND, post_modified_gmt = post_modified_gmt - INTERVAL %d SECOND",
		$seconds, $seconds, $seconds
	) );
	return [];
}

mysqli_report( MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT );
if ( ! hash_equals( getenv( 'WPTEST_TOKEN' ), $_SERVER['HTTP_X_WPTEST_TOKEN'] ?? '' ) ) {
	wptest_answer( 403, [ 'error' => 'wrong control token' ] );
}
[ , , $wptest_site, $wptest_action ] = explode( '/', strtok( $_SERVER['REQUEST_URI'], '?' ) );
$wptest_in = json_decode( file_get_contents( 'php://input' ), true ) ?? [];

// These need no WordPress.
switch ( $wptest_action ) {
	case 'ping':
		wptest_answer( 200, [] );
	case 'clone':
		wptest_answer( 200, wptest_clone( $wptest_site ) );
	case 'drop':
		wptest_answer( 200, wptest_drop( $wptest_site ) );
	case 'posts':
		wptest_answer( 200, wptest_posts( $wptest_site, $wptest_in['type'] ) );
	case 'requests':
		wptest_answer( 200, wptest_requests( $wptest_site ) );
	case 'reset':
		wptest_answer( 200, [ 'bytes' => file_put_contents( wptest_folder( $wptest_site ) . '/requests.jsonl', '' ) ] );
}

define( 'WPTEST_SITE', $wptest_site );
if ( 'install' === $wptest_action ) {
	wptest_db()->query( "CREATE DATABASE site_$wptest_site" );
	define( 'WP_INSTALLING', true );
}
require getenv( 'WPTEST_TREE' ) . '/wp-load.php';

switch ( $wptest_action ) {
	case 'install':
		wptest_answer( 200, wptest_install() );
	case 'permalinks':
		wptest_answer( 200, wptest_permalinks( $wptest_in['structure'] ) );
	case 'options':
		wptest_answer( 200, wptest_options( $wptest_in ) );
	case 'user':
		wptest_answer( 200, wptest_user( $wptest_in ) );
	case 'save':
		wptest_answer( 200, wptest_save( $wptest_in ) );
	case 'trash':
		wptest_answer( 200, [ 'ok' => (bool) wp_trash_post( $wptest_in['id'] ) ] );
	case 'delete':
		wptest_answer( 200, [ 'ok' => (bool) wp_delete_post( $wptest_in['id'], true ) ] );
	case 'move':
		wptest_answer( 200, wptest_move( $wptest_in['id'], $wptest_in['date_gmt'] ) );
	case 'age':
		wptest_answer( 200, wptest_age( $wptest_in['seconds'] ) );
	case 'unschedule':
		wptest_answer( 200, [ 'events' => wp_clear_scheduled_hook( 'publish_future_post', [ $wptest_in['id'] ] ) ] );
}
wptest_answer( 404, [ 'error' => "no action $wptest_action" ] );
