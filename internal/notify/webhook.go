package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Headers of a signed webhook. The signature is "sha256=" and the hexadecimal
// HMAC-SHA256, with the key, over the timestamp as it stands in its header, a
// dot, and the body as it was sent.
const (
	TimestampHeader = "Morrow-Timestamp" // Unix seconds
	SignatureHeader = "Morrow-Signature"
)

// signature is that of a webhook's message.
func signature(key, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// webhook sends messages as JSON.
type webhook struct {
	address, key string
	client       *http.Client
}

// message is the body of a webhook's request.
type message struct {
	Sent  time.Time `json:"sent"`
	Host  string    `json:"host"`
	Title string    `json:"title"`
	Text  string    `json:"text"`
	Lines []Line    `json:"events"`
}

func (w *webhook) send(ctx context.Context, d Digest) error {
	body, err := json.Marshal(message{d.At.UTC(), d.Host, d.Title(), d.Body(longText), d.Lines})
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.address, bytes.NewReader(body))
	if err != nil {
		return errUnusable
	}
	timestamp := strconv.FormatInt(d.At.Unix(), 10)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(TimestampHeader, timestamp)
	req.Header.Set(SignatureHeader, signature(w.key, timestamp, body))
	return exchange(w.client, req, w.address, w.key)
}

var errUnusable = errors.New("send: the address can't be used")

// newClient makes a client that follows no redirect: a message goes where it is
// addressed to. A nil transport is the usual one.
func newClient(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// exchange sends a request and wants an answer of success. The secrets are
// taken out of the error.
func exchange(client *http.Client, req *http.Request, secrets ...string) error {
	resp, err := client.Do(req)
	if err != nil {
		var where *url.Error
		if errors.As(err, &where) {
			err = where.Err // without the address
		}
		return fmt.Errorf("send to %s: %s", req.URL.Host, redact(err.Error(), secrets...))
	}
	_, _ = io.CopyN(io.Discard, resp.Body, 4096) // so that the connection is used again
	_ = resp.Body.Close()
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return fmt.Errorf("send to %s: it answered %d, a redirect, which is not followed: put in the address that it leads to", req.URL.Host, resp.StatusCode)
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return fmt.Errorf("send to %s: it answered %d %s", req.URL.Host, resp.StatusCode, http.StatusText(resp.StatusCode))
	}
	return nil
}
