// Reads block markup with WordPress's own block editor code, without a browser.
//
//   node check.cjs MODULES [TREE]
//
// MODULES is a folder with node_modules; the editor is @wordpress/block-library
// there or, with TREE, that of an unpacked WordPress. Takes a JSON object
// {name: markup} on stdin and writes {name: {faults, saved}}: what the editor
// calls invalid, and the markup as it would save it.
'use strict';

const fs = require( 'fs' );
const path = require( 'path' );
const util = require( 'util' );
const { createRequire } = require( 'module' );

const [ modules, tree ] = process.argv.slice( 2 );
const load = createRequire( path.resolve( modules, 'index.js' ) );
const { JSDOM, VirtualConsole } = load( 'jsdom' );

// What a browser has and jsdom lacks: nothing of it is used to read blocks.
function complete( window ) {
	const none = class {
		observe() {}
		unobserve() {}
		disconnect() {}
	};
	window.ResizeObserver = window.IntersectionObserver = none;
	window.matchMedia = () => ( {
		matches: false,
		addListener() {},
		removeListener() {},
		addEventListener() {},
		removeEventListener() {},
	} );
}

function fromModules() {
	const { window } = new JSDOM( '', { url: 'http://localhost/', pretendToBeVisual: true, virtualConsole: new VirtualConsole() } );
	complete( window );
	for ( const key of Object.getOwnPropertyNames( window ) ) {
		if ( ! ( key in globalThis ) ) {
			globalThis[ key ] = window[ key ];
		}
	}
	globalThis.window = window;
	Object.defineProperty( globalThis, 'navigator', { value: window.navigator, configurable: true } );
	load( '@wordpress/block-library' ).registerCoreBlocks();
	return load( '@wordpress/blocks' );
}

// The scripts that wp-block-library needs, in the order in which WordPress
// would print them.
function scripts() {
	const dist = path.join( tree, 'wp-includes/js/dist' );
	const list = fs.readFileSync( path.join( tree, 'wp-includes/assets/script-loader-packages.min.php' ), 'utf8' );
	const needs = { 'react-dom': [ 'react' ], 'react-jsx-runtime': [ 'react' ] };
	for ( const [ , name, deps ] of list.matchAll( /'([\w-]+)\.min\.js' => array\('dependencies' => array\((.*?)\)/g ) ) {
		needs[ 'wp-' + name ] = Array.from( deps.matchAll( /'(.*?)'/g ), ( m ) => m[ 1 ] );
	}
	const files = new Set();
	const add = ( handle ) => {
		( needs[ handle ] || [] ).forEach( add );
		const places = [ handle.replace( /^wp-/, '' ), 'vendor/' + handle, '../' + handle.replace( /^wp-/, '' ) ];
		const file = places.map( ( p ) => path.join( dist, p + '.min.js' ) ).find( fs.existsSync );
		if ( file ) {
			files.add( file );
		}
	};
	add( 'wp-polyfill' );
	add( 'lodash' );
	add( 'wp-block-library' );
	return files;
}

function fromTree() {
	const { window } = new JSDOM( '<!doctype html><body></body>', {
		url: 'http://localhost/',
		pretendToBeVisual: true,
		runScripts: 'outside-only',
		virtualConsole: new VirtualConsole(),
	} );
	complete( window );
	for ( const file of scripts() ) {
		window.eval( fs.readFileSync( file, 'utf8' ) );
		if ( window._ && ! window.lodash ) {
			window.lodash = window._; // as script-loader.php does
		}
	}
	window.wp.blockLibrary.registerCoreBlocks();
	return window.wp.blocks;
}

function faults( blocks ) {
	return blocks.flatMap( ( b ) => {
		const why = ( b.validationIssues || [] ).map( ( issue ) => util.format( ...issue.args ).split( '\n', 1 )[ 0 ] );
		const own = b.isValid && b.name !== 'core/missing' ? [] : [ [ b.name, b.originalContent, ...why ].join( '\n' ) ];
		return own.concat( faults( b.innerBlocks ) );
	} );
}

for ( const method of [ 'log', 'info', 'warn', 'error', 'group', 'groupCollapsed', 'groupEnd' ] ) {
	console[ method ] = () => {}; // the editor tells of each fault at length; stdout is for the answer
}
const editor = tree ? fromTree() : fromModules();
const answer = {};
for ( const [ name, markup ] of Object.entries( JSON.parse( fs.readFileSync( 0, 'utf8' ) ) ) ) {
	const blocks = editor.parse( markup );
	answer[ name ] = { faults: faults( blocks ), saved: editor.serialize( blocks ) };
}
// Timers of the editor would keep it alive.
process.stdout.write( JSON.stringify( answer ), () => process.exit( 0 ) );
