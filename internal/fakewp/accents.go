package fakewp

// unaccent is the table of remove_accents for a site in English.
func unaccent(r rune) (string, bool) {
	switch r {
	case 'ª', 'à', 'á', 'â', 'ã', 'ä', 'å', 'ā', 'ă', 'ą', 'ầ', 'ằ', 'ả', 'ẩ', 'ẳ', 'ẫ', 'ẵ', 'ấ', 'ắ', 'ạ', 'ậ', 'ặ', 'ɑ', 'ǎ':
		return "a", true
	case 'º', 'ò', 'ó', 'ô', 'õ', 'ö', 'ø', 'ō', 'ŏ', 'ő', 'ơ', 'ồ', 'ờ', 'ỏ', 'ổ', 'ở', 'ỗ', 'ỡ', 'ố', 'ớ', 'ọ', 'ộ', 'ợ', 'ǒ':
		return "o", true
	case 'À', 'Á', 'Â', 'Ã', 'Ä', 'Å', 'Ā', 'Ă', 'Ą', 'Ầ', 'Ằ', 'Ả', 'Ẩ', 'Ẳ', 'Ẫ', 'Ẵ', 'Ấ', 'Ắ', 'Ạ', 'Ậ', 'Ặ', 'Ǎ':
		return "A", true
	case 'Æ':
		return "AE", true
	case 'Ç', 'Ć', 'Ĉ', 'Ċ', 'Č':
		return "C", true
	case 'È', 'É', 'Ê', 'Ë', 'Ē', 'Ĕ', 'Ė', 'Ę', 'Ě', '€', 'Ề', 'Ẻ', 'Ể', 'Ẽ', 'Ễ', 'Ế', 'Ẹ', 'Ệ':
		return "E", true
	case 'Ì', 'Í', 'Î', 'Ï', 'Ĩ', 'Ī', 'Ĭ', 'Į', 'İ', 'Ỉ', 'Ị', 'Ǐ':
		return "I", true
	case 'Ð', 'Ď', 'Đ':
		return "D", true
	case 'Ñ', 'Ń', 'Ņ', 'Ň', 'Ŋ':
		return "N", true
	case 'Ò', 'Ó', 'Ô', 'Õ', 'Ö', 'Ø', 'Ō', 'Ŏ', 'Ő', 'Ơ', 'Ồ', 'Ờ', 'Ỏ', 'Ổ', 'Ở', 'Ỗ', 'Ỡ', 'Ố', 'Ớ', 'Ọ', 'Ộ', 'Ợ', 'Ǒ':
		return "O", true
	case 'Ù', 'Ú', 'Û', 'Ü', 'Ũ', 'Ū', 'Ŭ', 'Ů', 'Ű', 'Ų', 'Ư', 'Ừ', 'Ủ', 'Ử', 'Ữ', 'Ứ', 'Ụ', 'Ự', 'Ǖ', 'Ǘ', 'Ǔ', 'Ǚ', 'Ǜ':
		return "U", true
	case 'Ý', 'Ŷ', 'Ÿ', 'Ỳ', 'Ỷ', 'Ỹ', 'Ỵ':
		return "Y", true
	case 'Þ':
		return "TH", true
	case 'ß', 'ś', 'ŝ', 'ş', 'š', 'ſ', 'ș':
		return "s", true
	case 'æ':
		return "ae", true
	case 'ç', 'ć', 'ĉ', 'ċ', 'č':
		return "c", true
	case 'è', 'é', 'ê', 'ë', 'ē', 'ĕ', 'ė', 'ę', 'ě', 'ề', 'ẻ', 'ể', 'ẽ', 'ễ', 'ế', 'ẹ', 'ệ':
		return "e", true
	case 'ì', 'í', 'î', 'ï', 'ĩ', 'ī', 'ĭ', 'į', 'ı', 'ỉ', 'ị', 'ǐ':
		return "i", true
	case 'ð', 'ď', 'đ':
		return "d", true
	case 'ñ', 'ń', 'ņ', 'ň', 'ŉ', 'ŋ':
		return "n", true
	case 'ù', 'ú', 'û', 'ü', 'ũ', 'ū', 'ŭ', 'ů', 'ű', 'ų', 'ư', 'ừ', 'ủ', 'ử', 'ữ', 'ứ', 'ụ', 'ự', 'ǖ', 'ǘ', 'ǔ', 'ǚ', 'ǜ':
		return "u", true
	case 'ý', 'ÿ', 'ŷ', 'ỳ', 'ỷ', 'ỹ', 'ỵ':
		return "y", true
	case 'þ':
		return "th", true
	case 'Ĝ', 'Ğ', 'Ġ', 'Ģ':
		return "G", true
	case 'ĝ', 'ğ', 'ġ', 'ģ':
		return "g", true
	case 'Ĥ', 'Ħ':
		return "H", true
	case 'ĥ', 'ħ':
		return "h", true
	case 'Ĳ':
		return "IJ", true
	case 'ĳ':
		return "ij", true
	case 'Ĵ':
		return "J", true
	case 'ĵ':
		return "j", true
	case 'Ķ':
		return "K", true
	case 'ķ', 'ĸ':
		return "k", true
	case 'Ĺ', 'Ļ', 'Ľ', 'Ŀ', 'Ł':
		return "L", true
	case 'ĺ', 'ļ', 'ľ', 'ŀ', 'ł':
		return "l", true
	case 'Œ':
		return "OE", true
	case 'œ':
		return "oe", true
	case 'Ŕ', 'Ŗ', 'Ř':
		return "R", true
	case 'ŕ', 'ŗ', 'ř':
		return "r", true
	case 'Ś', 'Ŝ', 'Ş', 'Š', 'Ș':
		return "S", true
	case 'Ţ', 'Ť', 'Ŧ', 'Ț':
		return "T", true
	case 'ţ', 'ť', 'ŧ', 'ț':
		return "t", true
	case 'Ŵ':
		return "W", true
	case 'ŵ':
		return "w", true
	case 'Ź', 'Ż', 'Ž':
		return "Z", true
	case 'ź', 'ż', 'ž':
		return "z", true
	case '£':
		return "", true
	}
	return "", false
}
