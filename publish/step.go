package publish

// step is one of the eleven steps of a run, in their order; or a wait.
type step string

const (
	stepLock      step = "lock"
	stepLook      step = "look"
	stepDecide    step = "decide"
	stepPick      step = "pick"
	stepKnown     step = "known"
	stepPrepare   step = "prepare"
	stepVerify    step = "verify"
	stepLookAgain step = "look again"
	stepCommit    step = "commit"
	stepReadBack  step = "read back"
	stepConsume   step = "consume"

	stepWait step = "wait for a file that was changed a moment ago"
)

// begin marks the beginning of a step: for the log, for a person who waits,
// and for the tests that kill the process just there.
func (r *run) begin(s step) {
	killpoint(s)
	r.log.Debug().Str("step", string(s)).Msg("step")
	if r.progress != nil {
		r.progress(string(s))
	}
}
