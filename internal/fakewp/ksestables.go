package fakewp

// postTagAttrs are the elements that wp_kses allows in posts, with their own
// attributes, separated by blanks ($allowedposttags).
func postTagAttrs(element string) (attrs string, ok bool) {
	switch element {
	case "address", "abbr", "acronym", "b", "bdo", "big", "br", "cite", "code", "dd", "dfn", "dl", "dt", "em", "fieldset", "i", "kbd", "mark", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "small", "strike", "strong", "sub", "sup", "title", "tt", "u", "var":
		return "", true
	case "a":
		return "href rel rev name target download", true
	case "area":
		return "alt coords href nohref shape target", true
	case "article", "aside", "caption", "div", "figure", "figcaption", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "legend", "main", "nav", "p", "span", "section", "summary":
		return "align", true
	case "audio":
		return "autoplay controls loop muted preload src", true
	case "blockquote", "q":
		return "cite", true
	case "button":
		return "disabled name type value", true
	case "col", "colgroup":
		return "align char charoff span valign width", true
	case "del":
		return "datetime", true
	case "details":
		return "align open", true
	case "font":
		return "color face size", true
	case "hr":
		return "align noshade size width", true
	case "img":
		return "alt align border height hspace loading longdesc vspace src usemap width", true
	case "ins":
		return "datetime cite", true
	case "label":
		return "for", true
	case "li":
		return "align value", true
	case "map":
		return "name", true
	case "menu", "ul":
		return "type", true
	case "object":
		return "data type", true
	case "pre":
		return "width", true
	case "table":
		return "align bgcolor border cellpadding cellspacing rules summary width", true
	case "tbody", "tfoot", "thead":
		return "align char charoff valign", true
	case "td", "th":
		return "abbr align axis bgcolor char charoff colspan headers height nowrap rowspan scope valign width", true
	case "textarea":
		return "cols rows disabled name readonly", true
	case "tr":
		return "align bgcolor char charoff valign", true
	case "track":
		return "default kind label src srclang", true
	case "ol":
		return "start type reversed", true
	case "video":
		return "autoplay controls height loop muted playsinline poster preload src width", true
	}
	return "", false
}

// titleTagAttrs are the elements allowed in titles ($allowedtags).
func titleTagAttrs(element string) (attrs string, ok bool) {
	switch element {
	case "a":
		return "href title", true
	case "abbr", "acronym":
		return "title", true
	case "blockquote", "q":
		return "cite", true
	case "del":
		return "datetime", true
	case "b", "cite", "code", "em", "i", "s", "strike", "strong":
		return "", true
	}
	return "", false
}

// knownEntities are the named entities that wp_kses keeps
// ($allowedentitynames), with a blank round each.
const knownEntities = " nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn acute " +
	"micro para middot cedil ordm raquo iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave " +
	"Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash " +
	"Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil " +
	"egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide " +
	"oslash ugrave uacute ucirc uuml yacute thorn yuml quot amp lt gt apos OElig oelig Scaron scaron " +
	"Yuml circ tilde ensp emsp thinsp zwnj zwj lrm rlm ndash mdash lsquo rsquo sbquo ldquo rdquo bdquo " +
	"dagger Dagger permil lsaquo rsaquo euro fnof Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota " +
	"Kappa Lambda Mu Nu Xi Omicron Pi Rho Sigma Tau Upsilon Phi Chi Psi Omega alpha beta gamma delta " +
	"epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi " +
	"psi omega thetasym upsih piv bull hellip prime Prime oline frasl weierp image real trade alefsym " +
	"larr uarr rarr darr harr crarr lArr uArr rArr dArr hArr forall part exist empty nabla isin notin ni " +
	"prod sum minus lowast radic prop infin ang and or cap cup int sim cong asymp ne equiv le ge sub sup " +
	"nsub sube supe oplus otimes perp sdot lceil rceil lfloor rfloor lang rang loz spades clubs hearts " +
	"diams sup1 sup2 sup3 frac14 frac12 frac34 there4 "

// safeStyles are the CSS properties that safecss_filter_attr keeps, with a
// blank round each.
const safeStyles = " background background-color background-image background-position background-size " +
	"background-attachment background-blend-mode border border-radius border-width border-color " +
	"border-style border-right border-right-color border-right-style border-right-width border-bottom " +
	"border-bottom-color border-bottom-left-radius border-bottom-right-radius border-bottom-style " +
	"border-bottom-width border-left border-left-color border-left-style border-left-width border-top " +
	"border-top-color border-top-left-radius border-top-right-radius border-top-style border-top-width " +
	"border-spacing border-collapse caption-side columns column-count column-fill column-gap column-rule " +
	"column-span column-width color filter font font-family font-size font-style font-variant " +
	"font-weight letter-spacing line-height text-align text-decoration text-indent text-transform height " +
	"min-height max-height width min-width max-width margin margin-right margin-bottom margin-left " +
	"margin-top margin-block-start margin-block-end margin-inline-start margin-inline-end padding " +
	"padding-right padding-bottom padding-left padding-top padding-block-start padding-block-end " +
	"padding-inline-start padding-inline-end flex flex-basis flex-direction flex-flow flex-grow " +
	"flex-shrink flex-wrap gap row-gap grid-template-columns grid-auto-columns grid-column-start " +
	"grid-column-end grid-column-gap grid-template-rows grid-auto-rows grid-row-start grid-row-end " +
	"grid-row-gap grid-gap justify-content justify-items justify-self align-content align-items " +
	"align-self clear cursor direction float list-style-type object-fit object-position overflow " +
	"vertical-align "
