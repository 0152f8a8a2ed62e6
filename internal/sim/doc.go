// Package sim plays histories: weeks of the real scheduler, publisher, client,
// lock, journal and folder source on virtual time, on one to three machines
// that share an emulated site, while networks, clocks, processes and people do
// their worst. A judge that shares no code with the product holds each history
// to what Morrow promises.
//
// A history follows from its seed and repeats exactly:
//
//	go test ./internal/sim -sim.seed=N -sim.days=M -v
//
// It leaves out what no client can exclude: a process that is frozen between
// its last check and the bytes leaving it for longer than the lead. A request
// that changes a post it knows is late by less than the lead, too; one that
// creates a post may be late by days. And nobody takes a post in the very second
// of its date: WordPress shows a draft that is dated so as one that floats.
package sim
