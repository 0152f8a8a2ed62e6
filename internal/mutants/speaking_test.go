package mutants

// speaking are the guards of the client: what is an answer, and what may be
// sent twice.
func speaking() []mutant {
	return []mutant{
		{
			guard: "an answer from a cache is none",
			file:  "wpclient/verify.go",
			old:   `sign != "" {`,
			new:   `sign == "never" {`,
			by:    []test{{"wpclient", "TestUnverifiedLists"}},
		},
		{
			guard: "unique query value",
			file:  "wpclient/pages.go",
			old:   `q.Set("_", strconv.FormatInt(c.rand(math.MaxInt64), 36))`,
			new:   `q.Set("_", strconv.FormatInt(c.rand(math.MaxInt64)*0, 36))`,
			by:    []test{{"wpclient", "TestJitterIsSeeded|TestListSendsWholeQuery"}},
		},
		{
			guard: "a list is read to its last page",
			file:  "wpclient/pages.go",
			old:   `p.total >= 0 && page*perPage >= p.total &&`,
			new:   `p.total >= 0 &&`,
			by:    []test{{"wpclient", "TestB16B17B21Paging"}},
		},
		{
			guard: "a list that changes while it is read is none",
			file:  "wpclient/pages.go",
			old:   `if page > 1 && total != p.total && p.total >= 0 {`,
			new:   `if page < 1 {`,
			by:    []test{{"wpclient", "TestListChangedWhileRead"}},
		},
		{
			guard: "a total below the rows is no total",
			file:  "wpclient/pages.go",
			old:   `if p.total < len(p.rows) {`,
			new:   `if p.total < 0 {`,
			by:    []test{{"wpclient", "TestB16B17B21Paging|TestVerifiedLists"}},
		},
		{
			guard: "a row of a status not asked for",
			file:  "wpclient/posts.go",
			old:   `if len(q.Statuses) > 0 && !slices`,
			new:   `if len(q.Statuses) > 9 && !slices`,
			by:    []test{{"wpclient", "TestB13ForeignStatusIsNotVerified"}},
		},
		{
			guard: "a row that lacks what was asked for",
			file:  "wpclient/row.go",
			old:   `if len(missing) > 0 {`,
			new:   `if len(missing) > 9 {`,
			by:    []test{{"wpclient", "TestUnverifiedLists"}},
		},
		{
			guard: "only JSON is an answer",
			file:  "wpclient/verify.go",
			old:   "if !isJSON(a.header) {\n\t\treturn c.refusal(op, a)\n\t}\n\tif err := json",
			new:   "if err := json",
			by:    []test{{"wpclient", "TestUnverifiedLists"}},
		},
		{
			guard: "the answer is about the post that was asked for",
			file:  "wpclient/posts.go",
			old:   `if id != 0 && r.ID != id {`,
			new:   `if r.ID == 0 {`,
			by:    []test{{"wpclient", "TestReadOnePost"}},
		},
		{
			guard: "redirects on writes are not followed",
			file:  "wpclient/send.go",
			old:   `if first.Method != http.MethodGet || len(via)`,
			new:   `if len(via)`,
			by:    []test{{"wpclient", "TestRedirects"}},
		},
		{
			guard: "redirects on reads keep scheme and host",
			file:  "wpclient/send.go",
			old:   `origin(next.URL) != c.origin || !keepsQuery`,
			new:   `!keepsQuery`,
			by:    []test{{"wpclient", "TestRedirects"}},
		},
		{
			guard: "redirects on reads keep the query",
			file:  "wpclient/send.go",
			old:   `origin(next.URL) != c.origin || !keepsQuery(first.URL, next.URL) {`,
			new:   `origin(next.URL) != c.origin {`,
			by:    []test{{"wpclient", "TestRedirects"}},
		},
		{
			guard: "no Idempotency-Key, with which net/http sends again",
			file:  "wpclient/send.go",
			old:   `io.NopCloser(w.body), w.size, nil`,
			new: `io.NopCloser(w.body), w.size, func() (io.ReadCloser, error) {
		_, err := w.body.(io.Seeker).Seek(0, io.SeekStart)
		return io.NopCloser(w.body), err
	}
	req.Header.Set("Idempotency-Key", "one")`,
			by: []test{{"wpclient", "TestWriteIsNeverReplayed"}},
		},
		{
			guard: "no body that net/http could send again",
			file:  "wpclient/send.go",
			old:   `io.NopCloser(w.body), w.size, nil`,
			new: `io.NopCloser(w.body), w.size, func() (io.ReadCloser, error) {
		_, err := w.body.(io.Seeker).Seek(0, io.SeekStart)
		return io.NopCloser(w.body), err
	}`,
			by: []test{{"wpclient", "TestRefusedStreamIsNotSentAgain"}},
		},
		{
			guard: "the clock is asked again when the connection stands",
			file:  "wpclient/send.go",
			old:   "if !w.allowed() {\n\t\t\t\tw.drop()\n\t\t\t}",
			new:   "",
			by:    []test{{"wpclient", "TestCheckStopsStandingConnection"}},
		},
		{
			guard: "the clock is asked before dialling",
			file:  "wpclient/send.go",
			old: `if !w.allowed() {
		return answer{}`,
			new: `if w.check != nil && w.check() == nil && w.stopped != nil {
		return answer{}`,
			by: []test{{"wpclient", "TestCheckStopsBeforeDialling"}},
		},
		{
			guard: "only reads are repeated",
			file:  "wpclient/posts.go",
			old:   `a, err := c.post(ctx, op, route, url.Values{"_fields": {wanted}}, body, check, &r)`,
			new: `var a answer
	err = c.read(ctx, func() error {
		a, err = c.post(ctx, op, route, url.Values{"_fields": {wanted}}, body, check, &r)
		return err
	})`,
			by: []test{{"wpclient", "TestB26HalfAnswersToWrites|TestB36B53B54RefusedWrites|TestEveryStatus|TestB26TimeoutIsUnknown"}},
		},
		{
			guard: "only WordPress's own 4xx proves that a write had no effect",
			file:  "wpclient/verify.go",
			old:   `e.Refused = a.status >= 400 && a.status < 500`,
			new:   `e.Refused = a.status >= 400`,
			by:    []test{{"wpclient", "TestEveryStatus"}},
		},
		{
			guard: "a 4xx that is not from WordPress proves nothing",
			file:  "wpclient/verify.go",
			old:   `return e, e.Code != "" && e.Message != nil && e.Data.Status == a.status`,
			new:   `return e, e.Message != nil`,
			by:    []test{{"wpclient", "TestForeignJSONErrorIsNoRefusal"}},
		},
		{
			guard: "an answer of half a post is no answer",
			file:  "wpclient/posts.go",
			old:   `return p, c.checkRow(op, a, r, typ, id)`,
			new:   "return p, nil",
			by:    []test{{"wpclient", "TestB26HalfAnswersToWrites"}},
		},
		{
			guard: "deleted means deleted",
			file:  "wpclient/posts.go",
			old:   `if err == nil && !r.Deleted {`,
			new:   `if err != nil && !r.Deleted {`,
			by:    []test{{"wpclient", "TestB26HalfAnswersToWrites"}},
		},
		{
			guard: "the password goes over http to no other machine",
			file:  "wpclient/client.go",
			old:   `case u.Scheme == "http" && !allowHTTP && !loopback(u.Hostname()):`,
			new:   `case u.Scheme == "http" && !allowHTTP && u.Host == "":`,
			by:    []test{{"wpclient", "TestNewRefuses"}},
		},
	}
}
