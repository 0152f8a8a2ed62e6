<?php
/**
 * Router of `php -S`: one WordPress code tree served as many sites.
 *
 * The first path segment names the site. A site is a database of its own and a
 * folder for its uploads and its request log. /_wptest/SITE/ACTION is the
 * control endpoint of the Go package.
 *
 * Environment: WPTEST_TREE (the code tree), WPTEST_WORK (the work folder),
 * WPTEST_SOCKET (MariaDB), WPTEST_VERSION, WPTEST_TOKEN.
 */

const WPTEST_MIME = [
	'css' => 'text/css', 'js' => 'text/javascript', 'json' => 'application/json', 'html' => 'text/html',
	'txt' => 'text/plain', 'xml' => 'text/xml', 'svg' => 'image/svg+xml', 'png' => 'image/png',
	'jpg' => 'image/jpeg', 'jpeg' => 'image/jpeg', 'gif' => 'image/gif', 'webp' => 'image/webp',
	'ico' => 'image/x-icon', 'woff' => 'font/woff', 'woff2' => 'font/woff2',
];

/** Folder of a site: it exists as long as the site does. */
function wptest_folder( string $site ): string {
	return getenv( 'WPTEST_WORK' ) . '/sites/' . $site;
}

/**
 * Writes a request to the site's log before it is answered, so that a client
 * that has its answer finds it there. The Go package's own are left out.
 */
function wptest_record( string $site ): void {
	if ( isset( $_SERVER['HTTP_X_WPTEST_TOKEN'] ) ) {
		return;
	}
	$line = json_encode( [
		'method' => $_SERVER['REQUEST_METHOD'],
		'uri'    => $_SERVER['REQUEST_URI'],
		'body'   => 'GET' === $_SERVER['REQUEST_METHOD'] ? '' : substr( file_get_contents( 'php://input' ), 0, 1 << 20 ),
	], JSON_INVALID_UTF8_SUBSTITUTE );
	file_put_contents( wptest_folder( $site ) . '/requests.jsonl', $line . "\n", FILE_APPEND | LOCK_EX );
	file_put_contents( getenv( 'WPTEST_WORK' ) . '/requests-' . getenv( 'WPTEST_VERSION' ), '.', FILE_APPEND | LOCK_EX );
}

/** Sends a static file and returns true, or false when there is none under $base. */
function wptest_static( string $base, string $path ): bool {
	$file = realpath( $base . '/' . $path );
	if ( false === $file || ! is_file( $file ) || ! str_starts_with( $file, realpath( $base ) . '/' ) ) {
		return false;
	}
	$type = WPTEST_MIME[ strtolower( pathinfo( $file, PATHINFO_EXTENSION ) ) ] ?? null;
	if ( null === $type ) {
		return false;
	}
	header( 'Content-Type: ' . $type );
	header( 'Content-Length: ' . filesize( $file ) );
	readfile( $file );
	return true;
}

/** The PHP file that answers this request; null when it is answered already. */
function wptest_route(): ?string {
	[ , $site, $rest ] = explode( '/', rawurldecode( strtok( $_SERVER['REQUEST_URI'], '?' ) ), 3 ) + [ '', '', '' ];
	if ( '_wptest' === $site ) {
		return __DIR__ . '/control.php';
	}
	if ( ! preg_match( '/^[a-z0-9]+$/', $site ) || ! is_dir( wptest_folder( $site ) ) ) {
		http_response_code( 404 );
		header( 'Content-Type: text/plain' );
		echo "no such test site\n";
		return null;
	}
	define( 'WPTEST_SITE', $site );
	wptest_record( $site );

	if ( str_starts_with( $rest, 'wp-content/uploads/' )
		&& wptest_static( wptest_folder( $site ) . '/uploads', substr( $rest, strlen( 'wp-content/uploads/' ) ) ) ) {
		return null;
	}
	$tree = getenv( 'WPTEST_TREE' );
	if ( wptest_static( $tree, $rest ) ) {
		return null;
	}
	if ( is_dir( $tree . '/' . $rest ) ) {
		$rest = ltrim( rtrim( $rest, '/' ) . '/index.php', '/' );
	}
	if ( ! str_ends_with( $rest, '.php' ) || ! is_file( $tree . '/' . $rest ) ) {
		$rest = 'index.php';
	}
	$_SERVER['SCRIPT_NAME']     = "/$site/$rest";
	$_SERVER['PHP_SELF']        = "/$site/$rest";
	$_SERVER['SCRIPT_FILENAME'] = "$tree/$rest";
	return "$tree/$rest";
}

// WordPress wants the global scope, so the file is required here.
$wptest_file = wptest_route();
if ( null !== $wptest_file ) {
	chdir( dirname( $wptest_file ) );
	require $wptest_file;
}
