package mutants

// composing are the guards of what becomes of an item's pictures and terms.
func composing() []mutant {
	library := func(guard, text, mutated, names string) mutant {
		return mutant{guard: guard, file: "internal/compose/library.go", old: text, new: mutated, by: []test{{"internal/compose", names}}}
	}
	return []mutant{
		{
			guard: "nothing is created for a slot that may be filled",
			file:  "publish/items.go",
			old: `		if e.draft, err = r.compose.Render(ctx, it); err == nil {
`,
			new: `		if e.draft, err = r.compose.Render(ctx, it); err == nil {
			_, err = r.compose.Settle(ctx, e.draft)
`,
			by: []test{{"publish", "TestFilledSlotUploadsNothing"}},
		},
		{
			guard: "nothing is created for an item that is not booked",
			file:  "publish/items.go",
			old:   `if err == nil && (f.fate == fresh || f.fate == reuse) {`,
			new:   `if err == nil {`,
			by:    []test{{"publish", "TestNothingIsMadeForAHeldItem"}},
		},
		library("an upload of unknown outcome is looked for",
			`if lookErr != nil || len(there) == 0 {`, `if lookErr != nil || len(there) != 0 {`, "TestUploadsThatFailHalfWay"),
		library("a remembered file is held against the site",
			`if k := known[m.ID]; m.URL == k.url {`, `if k := known[m.ID]; m.URL != "" {`, "TestMemoryIsChecked"),
		library("a file is found again by its content",
			`if at := slices.IndexFunc(there, p.file.is); at >= 0 {`, `if at := slices.IndexFunc(there, p.file.is); at > len(there) {`, "TestMediaIsUploadedOnce"),
		library("under a hash stands nothing else",
			`|| !info.ModTime().Equal(f.modified)`, `|| info.ModTime().IsZero()`, "TestPictureChangesWhileComposed"),
		{
			guard: "a picture that is being written",
			file:  "internal/compose/pictures.go",
			old:   `case age >= 0 && age < youngest:`,
			new:   `case age < 0:`,
			by:    []test{{"internal/compose", "TestB43PicturesAtFault"}},
		},
		{
			guard: "pictures lie below the queue's folder",
			file:  "internal/compose/locate.go",
			old:   `if !filepath.IsLocal(filepath.FromSlash(at)) {`,
			new:   `if filepath.IsAbs(at) {`,
			by:    []test{{"internal/compose", "TestB43PicturesAtFault"}},
		},
		{
			guard: "the text's hash does not depend on the site",
			file:  "internal/compose/compose.go",
			old:   `d.sent = d.hash()`,
			new:   `d.Text = d.hash()`,
			by:    []test{{"publish", "TestWithdrawnPictures"}, {"internal/compose", "TestTextOfPictures"}},
		},
		{
			guard: "the same text with other pictures is another",
			file:  "internal/compose/media.go",
			old:   `d.Text += picturesMark + hex.EncodeToString(all.Sum(nil)[:10])`,
			new:   `d.Text += picturesMark + hex.EncodeToString(all.Sum(nil)[:0])`,
			by:    []test{{"publish", "TestPictureOfTheDay"}, {"internal/compose", "TestTextIsThatOfThePictures"}},
		},
		{
			guard: "an untouched post is intact though its pictures are no part of it",
			file:  "internal/compose/media.go",
			old:   `d.sent = d.Text`,
			new:   `d.sent = ""`,
			by:    []test{{"internal/compose", "TestIntactWithPictures"}},
		},
		{
			guard: "an item is known though its pictures are gone",
			file:  "internal/compose/compose.go",
			old:   `lost && d.sent == named`,
			new:   `!lost && d.sent == named`,
			by:    []test{{"publish", "TestWithdrawnPictures"}},
		},
		{
			guard: "an item that shows other pictures is no copy",
			file:  "internal/source/copies.go",
			old:   `if err == nil && !same {`,
			new:   `if err == nil && same && path == "" {`,
			by:    []test{{"internal/source", "TestSameTextOtherPictures"}},
		},
		{
			guard: "an article comes back with the pictures it was booked with",
			file:  "internal/source/restore.go",
			old:   `p.item.Root, p.item.Dir = f.dir, b.dir()`,
			new:   `p.item.Root = f.dir`,
			by:    []test{{"publish", "TestWithdrawnArticle"}},
		},
		{
			guard: "an edit of a post with pictures shows",
			file:  "internal/compose/verify.go",
			old:   `cmp.Or(m.Sent, m.Text)`,
			new:   `cmp.Or(m.Text, m.Sent)`,
			by:    []test{{"internal/compose", "TestTextOfPictures"}},
		},
		{
			guard: "the featured image is verified",
			file:  "internal/compose/verify.go",
			old:   `if d.Featured != 0 && d.Featured != p.FeaturedMedia {`,
			new:   `if d.Featured != 0 && p.ID == 0 {`,
			by:    []test{{"internal/compose", "TestFeaturedImage"}},
		},
		{
			guard: "a taxonomy is one that the site has",
			file:  "internal/compose/taxonomies.go",
			old:   `if !own(w) && !slices.Contains(there, name) {`,
			new:   `if !own(w) && name == w.name {`,
			by:    []test{{"internal/compose", "TestTaxonomyIsNoRoute"}},
		},
		{
			guard: "a taxonomy's REST base is no path",
			file:  "internal/compose/taxonomies.go",
			old:   `return !plainBase().MatchString(base) })`,
			new:   `return base == "" })`,
			by:    []test{{"internal/compose", "TestTaxonomyByItsName"}},
		},
		{
			guard: "a category's parent counts",
			file:  "internal/compose/terms.go",
			old:   `return t.Parent != at.id })`,
			new:   `return t.Parent < 0 })`,
			by:    []test{{"internal/compose", "TestCategoryPaths"}},
		},
		{
			guard: "of two terms of one name neither is taken",
			file:  "internal/compose/terms.go",
			old:   `if len(named) == 1 {`,
			new:   `if len(named) >= 1 {`,
			by:    []test{{"internal/compose", "TestNameOfTwoCategories"}},
		},
		{
			guard: "a large file is sent when it is wanted",
			file:  "wpclient/media.go",
			old:   `header["Expect"] = "100-continue"`,
			new:   `header["Expect"] = ""`,
			by:    []test{{"wpclient", "TestB43TooLargeIsHeardBeforeItIsSent"}},
		},
		{
			guard: "a file that WordPress refuses is not stored",
			file:  "wpclient/verify.go",
			old:   `|| wp.Code == "rest_upload_sideload_error"`,
			new:   `|| wp.Code == ""`,
			by:    []test{{"wpclient", "TestB43UploadRefused"}},
		},
	}
}
