# make test is all a contributor needs; the rest is for releases and for CI.

ifeq (,$(shell command -v go))
$(error go is not installed: Morrow needs Go 1.26 or later)
endif

WORDPRESS := internal/wptest/wordpress
LINT := bin/golangci-lint
FUZZTIME ?= 30s

.PHONY: build test full race mutants fuzz bench lint clean

# One file that runs wherever its system does: no C library, no paths of this
# machine, no symbols that only a debugger wants.
build:
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o bin/ ./cmd/...

# Installs what lacks (as root on Debian, else it says what), starts real
# WordPress sites on loopback, tests, stops them and says which ones answered.
test:
	$(WORDPRESS) run go test -count=1 -timeout 15m ./...

# test with the long runs, then race.
full:
	MORROW_FULL=1 $(WORDPRESS) run go test -count=1 -timeout 180m ./...
	$(MAKE) race

race:
	CGO_ENABLED=1 $(WORDPRESS) run go test -race -count=1 -timeout 30m ./...

# Takes out each guard of the product in turn, says which test notices, and
# fails when none does. full does it too.
mutants:
	cd internal/mutants && MORROW_FULL=1 go test -count=1 -timeout 60m

# Every fuzz test for FUZZTIME.
fuzz:
	@grep -rHo --include='*_test.go' '^func Fuzz[[:alnum:]_]*' cmd scheduler publish wpclient lock internal | \
	while IFS=: read -r file name; do \
		echo "$$file $$name"; \
		go test -run '^$$' -fuzz "^$${name#func }$$" -fuzztime $(FUZZTIME) "./$$(dirname "$$file")" || exit 1; \
	done

# All benchmarks. internal/bench fails where the program costs more than it may.
# Set-up as for test; curl and Python's requests besides.
bench:
	MORROW_BENCH=1 $(WORDPRESS) run go test -run '^$$' -bench . ./...

# The linter, and the compiler's word on the systems that this machine is not.
lint: $(LINT)
	$(LINT) run ./...
	GOOS=windows go vet ./...
	GOOS=darwin go vet ./...
	@if command -v shellcheck >/dev/null; then shellcheck $(WORDPRESS) .ci/run internal/markup/editor/read; \
	else echo "shell scripts not checked: shellcheck is not installed"; fi

$(LINT): internal/tools/go.mod internal/tools/go.sum
	cd internal/tools && go build -o ../../$(LINT) github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@touch $(LINT)

clean:
	$(WORDPRESS) stop
	rm -rf bin .wptest

# The model of the booking protocol, searched by Spin; FULL=full for the large
# searches too.
.PHONY: model
model:
	internal/model/check $(FULL)
