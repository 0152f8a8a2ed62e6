/*
 * The booking protocol, for Spin: two hosts, one site, a network that loses,
 * delays and doubles requests, a person at the dashboard, and a clock.
 *
 * A run of a host is the run of package publish: look, and withdraw what is one
 * too many; pick; look the item up; prepare a draft; look again at the slot and
 * at the draft; commit; read back; delete surplus drafts; consume the file. A
 * host may die between any two steps. A failed read ends a run just as a death
 * does, as nothing is sent after it, so it is no case of its own.
 *
 * Time. EARLY is before the lead of slot 1: at its end a host that lives, either
 * of the two, makes one undisturbed run, the guard before the lead. NEAR is
 * within the lead: commits are not sent any more, and the host looks once more,
 * for twins. PAST: the slot has come, and what was scheduled is public. The other
 * host runs, or stands still, whenever it likes. A create may arrive at any time;
 * every other request arrives before the slot, and one that was sent EARLY before
 * the last look: lead is longer than any delay.
 *
 * What must hold:
 *   never two       slot 1 has at most one post of ours
 *   never none      it has one, or a person's; unless a person took ours out
 *                   too late, or the host that lives has no item for it
 *   no item twice   no item is scheduled or public for both slots
 *   no item lost    it is booked, or in a queue, or a draft that a guard finds
 *   back in queue   what the last host has in done/ and is not booked after all,
 *                   the last look has put back into its queue
 *   no litter       of what the last host has in done/, the last look leaves no
 *                   draft beside the booking
 *   people first    a post that a person made is never written to; and no commit
 *                   is sent into a slot that a person had filled, or for a draft
 *                   that a person had edited, trashed or dated, before the draft
 *                   was ready: only what comes after the second look is missed
 *   no run blocks   every process comes to its end, and there is no cycle
 *
 * The rule of the lowest id holds for items as well as for slots (NO_ITEM_RULE
 * leaves that out). A draft that was made for another slot is not booked while a
 * commit may be on its way to that, which package publish takes to be as long as
 * lead (NO_WAIT). Surplus drafts that are lower than a fresh booking are spared
 * (ERASE_LOWER deletes them).
 *
 * Without the last look (NO_LAST_LOOK) two hosts make one manual run each, at
 * once, and nobody looks again.
 *
 * The other switches take one step out of the protocol; internal/model/check has
 * the table of what then breaks. (UNTIDY leaves out "no litter" and "back in
 * queue", where a weakening is to show a worse thing.)
 *
 * Not in the model: what verify compares (the text), posts that an account may
 * not see, lists that lag, yield, WP-Cron, a text that changes in the queue. Nor
 * this, which is more than the properties need: a look at a filled slot takes a
 * file out of the queue that a killed run left there.
 */

/* ---- bounds of the search */
#ifndef ITEMS
#define ITEMS 1    /* files in the queues */
#endif
#ifndef SLOTS
#define SLOTS 1    /* slots, of which a run looks at AHEAD */
#endif
#ifndef AHEAD
#define AHEAD 1
#endif
#ifndef RUNS
#define RUNS 1     /* disturbed runs of each host, beside the last looks */
#endif
#ifndef FAULTS
#define FAULTS 1   /* requests that go astray */
#endif
#ifndef CRASHES
#define CRASHES 1
#endif
#ifndef PERSON
#define PERSON 0   /* acts of the person */
#endif
#ifndef MAXPOSTS
#define MAXPOSTS 6 /* more is an error of the model, not a refusal */
#endif
#define MAXAIR 2
#define ROUNDS 3   /* as in publish: looks and commits with one draft */
#define RESTARTS 3
#define NIL 15

/* ---- the site */
#define GONE 0
#define DRAFT 1    /* floats: no date of its own */
#define FUTURE 2
#define PUBLIC 3
#define DATED 4    /* a draft with a date: a person's doing */
#define TRASH 5
#define NOID 0     /* the marker bears no id: not committed yet, or no marker at all */
#define OWN 1      /* the marker bears the post's own id */
#define OTHERS 2   /* the marker bears another post's id: a copy */

typedef Post {
	unsigned st : 3;
	unsigned item : 2;  /* 0: a person's own post */
	unsigned mark : 2;
	unsigned at : 2;    /* the slot it is dated for */
#if AHEAD > 1
	unsigned to : 2;    /* the slot its marker names */
#endif
	bit touched;        /* its text is not as its marker says */
	bit nameless;       /* it has no slug, as a copy made at the dashboard */
	bit theirs          /* a person made it; no host can see this */
};
Post site[MAXPOSTS];
byte posts;
#if AHEAD > 1
#define MARK(p, s) site[p].to = s
byte hand[2] = NIL;    /* the draft that each host is about to commit, or may have */
#define HAND(h, p) hand[h] = p
/* A draft made for another slot and never booked, so short ago that a commit may be on its way
   still: another host is at it, or the commit is in the air. */
#define COMING(n, p) (air[n].what == COMMIT && air[n].arg == p)
#define ELSEWHERE(p, s) (site[p].to != s && site[p].mark != OWN && (hand[1 - me] == p || COMING(0, p) || COMING(1, p)))
#else
#define MARK(p, s) skip
#define HAND(h, p) skip
#define ELSEWHERE(p, s) false
#endif
#ifdef NO_WAIT
#undef ELSEWHERE
#define ELSEWHERE(p, s) false
#endif

#define EARLY 0
#define NEAR 1
#define PAST 2
byte now;
#ifdef NO_LAST_LOOK
bit final = 1;
#else
bit final;             /* the last look before the lead has begun */
#endif
bit excused;           /* a person took a post out when it was too late to fill the slot again */
bit meddled[4];        /* a person decided about the item */

/* What a host reads out of a post. */
#ifdef NO_ID
#define IDOK(p) (site[p].mark != NOID)
#else
#define IDOK(p) (site[p].mark == OWN)
#endif
#define BOOKED(p, s) (site[p].st == FUTURE && site[p].at == s && site[p].item > 0 && IDOK(p))
#define FILLS(p, s)  ((site[p].st == FUTURE || site[p].st == PUBLIC) && site[p].at == s)
#define FLOATS(p)    (site[p].st == DRAFT && !site[p].touched && site[p].item > 0 && (IDOK(p) || site[p].mark == NOID))
#ifdef NO_SLUG
#define NAMED(p) true
#else
#define NAMED(p) (!site[p].nameless)
#endif
#define ISOF(p, x)   (site[p].item == x && NAMED(p) && (IDOK(p) || site[p].mark == NOID && (site[p].st == DRAFT || site[p].st == TRASH)))
#define SPOILED(p)   (site[p].touched || site[p].st == TRASH || site[p].st == DATED)
#define STANDS(p)    ((site[p].st == FUTURE || site[p].st == PUBLIC) && site[p].item > 0 && site[p].mark == OWN && !site[p].theirs)

/* A property: a trace that breaks it ends with its name. */
#define MUST(holds, name) if :: (holds) :: else -> printf(name); assert(false) fi

/* ---- requests */
#define NOTHING 0
#define CREATE 1
#define COMMIT 2
#define WITHDRAW 3
#define ERASE 4
#define OK 0
#define REFUSED 1
#define DARK 2         /* nobody knows */

typedef Late { unsigned what : 3; unsigned arg : 4; unsigned at : 2 };
Late air[MAXAIR];
#define ROOM (air[0].what == NOTHING || air[1].what == NOTHING)
#define CALMAIR (air[0].what == NOTHING && air[1].what == NOTHING)
#define SETTLED_AIR (air[0].what <= CREATE && air[1].what <= CREATE)

#define FAULTY (faults > 0 && stage == 0) /* the last looks are undisturbed */
byte faults = FAULTS, crashes = CRASHES, person = PERSON;

/* What a request does to the site: res is the answer, new the post of a create. */
inline doCreate(on, slot, res, new) {
	assert(posts < MAXPOSTS);
	site[posts].item = on;
#ifdef CREATE_SCHEDULED
	if :: now == PAST && slot == 1 -> site[posts].st = PUBLIC :: else -> site[posts].st = FUTURE fi;
	site[posts].mark = OWN; site[posts].at = slot;
#else
	site[posts].st = DRAFT;
#endif
	MARK(posts, slot);
	printf("site: post %d is made of item %d\n", posts, on);
	res = OK; new = posts; posts++
}

inline doCommit(on, slot, res, new) {
	MUST(!site[on].theirs, "broken: people first, a person's post is written to\n");
	if
	:: site[on].st == GONE -> res = REFUSED
	:: else ->
		if :: now == PAST && slot == 1 -> site[on].st = PUBLIC :: else -> site[on].st = FUTURE fi;
		site[on].at = slot; site[on].mark = OWN; site[on].touched = 0; res = OK; MARK(on, slot);
		printf("site: post %d (item %d) is scheduled for slot %d\n", on, site[on].item, slot)
	fi
}

inline doWithdraw(on, slot, res, new) {
	MUST(!site[on].theirs, "broken: people first, a person's post is written to\n");
	if
	:: site[on].st == GONE -> res = REFUSED
	:: else ->
#ifdef KEEP_DATE
		site[on].st = DATED;
#else
		site[on].st = DRAFT; site[on].at = 0;
#endif
		res = OK; printf("site: post %d is withdrawn\n", on)
	fi
}

inline doErase(on, slot, res, new) {
	MUST(!site[on].theirs, "broken: people first, a person's post is written to\n");
	if
	:: site[on].st == GONE -> res = REFUSED
	:: else ->
#ifdef TRASH_SURPLUS
		site[on].st = TRASH; site[on].at = 0;
#else
		site[on].st = GONE; site[on].item = 0; site[on].mark = NOID; site[on].at = 0; site[on].touched = 0;
		MARK(on, 0);
#endif
		res = OK; printf("site: post %d is deleted\n", on)
	fi
}

inline delay(op, on, slot) {
	if
	:: air[0].what == NOTHING -> air[0].what = op; air[0].arg = on; air[0].at = slot
	:: else -> air[1].what = op; air[1].arg = on; air[1].at = slot
	fi
}

/* A host sends a request, and the network does as it likes. */
#define SEND(op, text, does, on, slot) \
	atomic { \
		made = NIL; \
		printf(text, me, on); \
		if \
		:: does(on, slot, ans, made) \
		:: FAULTY -> faults--; ans = DARK; printf("net: lost\n") \
		:: FAULTY -> faults--; does(on, slot, ans, made); ans = DARK; made = NIL; printf("net: its answer is lost\n") \
		:: FAULTY && ROOM -> faults--; delay(op, on, slot); ans = DARK; printf("net: it is late\n") \
		:: FAULTY && ROOM -> faults--; does(on, slot, ans, made); delay(op, on, slot); printf("net: it will come twice\n") \
		fi \
	}

/* What is in the air arrives at any time. */
inline arrive(n) {
	printf("net: a late request arrives\n");
	if
	:: air[n].what == CREATE -> doCreate(air[n].arg, air[n].at, res, new)
	:: air[n].what == COMMIT -> doCommit(air[n].arg, air[n].at, res, new)
	:: air[n].what == WITHDRAW -> doWithdraw(air[n].arg, air[n].at, res, new)
	:: air[n].what == ERASE -> doErase(air[n].arg, air[n].at, res, new)
	fi;
	air[n].what = NOTHING; air[n].arg = 0; air[n].at = 0; res = 0; new = 0
}

active proctype Network() {
	byte res, new;
end:	do
	:: atomic { air[0].what != NOTHING -> arrive(0) }
	:: atomic { air[1].what != NOTHING -> arrive(1) }
	od
}

/* ---- the hosts' disks: the state folder is no part of the protocol */
typedef Disk { bit queued[4]; bit done[4] };
Disk disk[2];
#define HAS(h, x) (disk[h].queued[x] || disk[h].done[x])
bit last;              /* the host that makes the last looks */
byte born;             /* posts there were at the last of them */
byte looked;           /* how many of them are over */
byte ended;

/* A person's hands. Ghost of the model: hosts only see posts. */
active proctype Person() {
	byte k;
end:	do
	:: atomic { person > 0 && ended < 2 && now == EARLY -> person--; /* books a post of their own */
		assert(posts < MAXPOSTS);
		site[posts].st = FUTURE; site[posts].at = 1; site[posts].theirs = 1;
		printf("person: books post %d\n", posts);
		posts++ }
	:: atomic { person > 0 && ended < 2 && now != PAST && posts > 0 -> person--;
		k = 0;
		do
		:: k + 1 < posts -> k++
		:: break
		od;
		if
		:: site[k].item > 0 && !site[k].theirs && (site[k].st == DRAFT || site[k].st == FUTURE) ->
			if
			:: site[k].touched = 1; meddled[site[k].item] = 1; printf("person: edits post %d\n", k)
			:: if :: site[k].st == FUTURE && final -> excused = 1 :: else fi;
				site[k].st = TRASH; meddled[site[k].item] = 1; printf("person: trashes post %d\n", k)
			:: site[k].st == FUTURE ->
				if :: final -> excused = 1 :: else fi;
				site[k].st = DATED; meddled[site[k].item] = 1; printf("person: makes post %d a draft\n", k)
			:: 1 ->
				assert(posts < MAXPOSTS);
				site[posts].item = site[k].item; site[posts].touched = site[k].touched;
				site[posts].theirs = 1; site[posts].nameless = 1;
				if :: site[k].mark == OWN -> site[posts].mark = OTHERS :: else -> site[posts].mark = NOID fi;
				if
				:: site[posts].st = DRAFT
				:: site[posts].st = FUTURE; site[posts].at = 1
				fi;
				printf("person: copies post %d to post %d\n", k, posts);
				posts++
			fi
		:: else
		fi;
		k = 0 }
	od
}

/* ---- a host */

/* One look at slots lo to hi: which of them are filled, and the surplus
   bookings: all but the lowest id of a slot, and all but the lowest of an item. */
inline look(lo, hi) {
	filled = 0; gone = 0; j = lo;
	do
	:: j <= hi ->
		keep = NIL; i = 0;
		do
		:: i < posts ->
			if :: FILLS(i, j) -> filled = filled | (1 << j) :: else fi;
			if
			:: BOOKED(i, j) ->
				if
				:: keep == NIL -> keep = i
#ifdef DIFFERENT_RULES
				:: keep != NIL && me == 1 -> gone = gone | (1 << keep); keep = i
				:: keep != NIL && me == 0 -> gone = gone | (1 << i)
#else
				:: else -> gone = gone | (1 << i)
#endif
				fi
			:: else
			fi;
			i++
		:: else -> break
		od;
		j++
	:: else -> break
	od;
#if SLOTS > 1 && !defined(NO_ITEM_RULE)
	i = 1;
	do
	:: i < posts ->
		if
		:: site[i].st == FUTURE && site[i].at >= lo && site[i].at <= hi && BOOKED(i, site[i].at) ->
			j = 0;
			do
			:: j < posts ->
				if :: (site[j].st == FUTURE && j < i || site[j].st == PUBLIC) && ISOF(j, site[i].item) -> gone = gone | (1 << i) :: else fi;
				j++
			:: else -> break
			od
		:: else
		fi;
		i++
	:: else -> break
	od;
	/* What is withdrawn fills no slot. */
	filled = 0; i = 0;
	do
	:: i < posts ->
		if :: !(gone & (1 << i)) && site[i].at >= lo && site[i].at <= hi && FILLS(i, site[i].at) -> filled = filled | (1 << site[i].at) :: else fi;
		i++
	:: else -> break
	od;
#endif
	i = 0; j = 0; keep = 0
}

#define FRESH 0
#define REUSE 1
#define HELD 2
#define SETTLED 3

/* The look-up of item x: its fate, the draft to book, and its surplus drafts. A
   surplus draft goes only if its id is higher than the booking's, or if nobody
   can commit it any more: another host may be about to commit the lower one,
   and see the higher as the one too many. */
inline lookUp(x) {
	fate = FRESH; id = NIL; extra = 0; keep = NIL; i = 0;
	do
	:: i < posts ->
		if
		:: site[i].st != GONE && ISOF(i, x) ->
			if
			:: site[i].st == TRASH || site[i].st == DATED -> fate = SETTLED; if :: keep == NIL -> keep = i :: else fi
			:: site[i].st != TRASH && site[i].st != DATED && site[i].touched -> if :: fate < HELD -> fate = HELD :: else fi
			:: site[i].st == DRAFT && !site[i].touched -> if :: id == NIL -> id = i :: else fi; extra = extra | (1 << i)
			:: else -> fate = SETTLED; if :: keep == NIL -> keep = i :: else fi
			fi
		:: else
		fi;
		i++
	:: else -> break
	od;
	if
	:: fate == FRESH && id != NIL -> fate = REUSE; extra = extra & ~(1 << id)
	:: fate == SETTLED ->
		id = NIL;
#ifndef ERASE_LOWER
		if :: !(SLOTS == 1 && stage == 2) && keep != NIL -> extra = (extra >> keep) << keep :: else fi
#endif
	:: fate == HELD -> id = NIL; extra = 0
	:: else
	fi;
#ifdef NO_ERASE
	extra = 0;
#endif
	i = 0; keep = 0
}

/* Takes the first post out of a set of posts: the target. */
inline first(set) {
	i = 0;
	do
	:: !(set & (1 << i)) -> i++
	:: else -> break
	od;
	set = set & ~(1 << i); target = i; i = 0
}

#define RESET id = NIL; made = 0; ans = 0; fate = 0; target = 0; gone = 0; extra = 0; rounds = 0; \
	suffixed = 0; stands = 0; stood = 0; spoiled = 0
#define DIE if :: atomic { crashes > 0 && stage == 0 -> crashes--; printf("host %d: dies\n", me); goto over } :: true fi

/* Where the two procedures of a run, delete: and tend:, go back to. */
#define LOOK 0
#define PICK 1
#define READBACK 2
#define TEND 3
#define SURPLUS 4
#define KNOWN 5

proctype Host(bit me) {
	unsigned runs : 2 = RUNS, stage : 2;  /* 0: disturbed, 1: the guard before the lead, 2: before the slot, 3: next day */
	unsigned s : 2, todo : 2;             /* the slot at hand, the last to do */
	unsigned it : 2, x : 2;               /* the item at hand, one that is tended */
	unsigned id : 4 = NIL, target : 4, made : 4, i : 4, j : 4, keep : 4; /* posts */
	unsigned rounds : 2, restarts : 3;
	unsigned filled : 3, tried : 3, later : 3; /* sets of slots, of items */
	byte gone, extra;                     /* sets of posts */
	unsigned ans : 2, fate : 2, tendBack : 2, deleteBack : 3;
	bit tended, suffixed, stands, stood, spoiled;

next:	if
	:: stage == 0 && runs > 0 -> runs--
#ifdef NO_LAST_LOOK
	:: stage == 0 && runs == 0 -> goto stop
#else
	:: stage == 0 && last != me -> goto stop
#if AHEAD > 1
	:: atomic { stage == 0 && last == me && ended == 1 -> stage = 1; final = 1 }
#else
	:: atomic { stage == 0 && last == me -> stage = 1; final = 1 }
#endif
	:: stage == 1 -> looked = 1; atomic { (now == NEAR && SETTLED_AIR); stage = 2; born = posts }
#if SLOTS > AHEAD
	:: stage == 2 -> looked = 2; (now == PAST); stage = 3
	:: stage == 3 -> goto stop
#else
	:: stage == 2 -> looked = 2; goto stop
#endif
#endif
	fi;

	/* look, and withdraw what is one too many */
	atomic {
		printf("host %d: looks\n", me);
		d_step {
#if SLOTS > AHEAD
			if :: now == PAST -> s = 2 :: else -> s = 1 fi;
			look(s, s); todo = s
#else
			s = 1; look(1, SLOTS); todo = SLOTS
#endif
#ifdef NO_GUARD
			; gone = 0
#endif
		}
	};
	DIE;
	if
	:: gone || stage > 0 -> tendBack = LOOK; goto withdraw
	:: else
	fi;

slot:	if
	:: s > todo -> goto over
	:: s <= todo && (filled & (1 << s) || s == 1 && now != EARLY) -> s++; goto slot /* taken, or too late */
	:: else -> restarts = 0; later = 0
	fi;

pick:	skip;
	d_step { it = 1; HAND(me, NIL); do :: it <= ITEMS && (!disk[me].queued[it] || (tried | later) & (1 << it)) -> it++ :: else -> break od };
	if
	:: it > ITEMS && !tended -> it = 0; tendBack = PICK; goto tend
	:: it > ITEMS && tended -> it = 0; s++; goto slot
	:: else
	fi;

	/* known */
	d_step {
		lookUp(it)
#ifdef NO_KNOWN
		; fate = FRESH; id = NIL; extra = 0
#endif
	};
	DIE;
	if
	:: fate == SETTLED ->
		d_step {
			/* Its own booking may have come to this slot meanwhile. */
			i = 0;
			do
			:: i < posts -> if :: ISOF(i, it) && FILLS(i, s) -> stands = 1 :: else fi; i++
			:: else -> break
			od;
			i = 0
		};
		deleteBack = KNOWN;
		goto delete
	:: fate == HELD -> fate = 0; tried = tried | (1 << it); goto pick
	:: fate == REUSE && ELSEWHERE(id, s) -> fate = 0; id = NIL; extra = 0; later = later | (1 << it); goto pick
	:: fate == REUSE && !ELSEWHERE(id, s) -> fate = 0; goto round
	:: else
	fi;

	/* prepare: WordPress looks whether the slug is taken, then stores */
	d_step {
		i = 0;
		do
		:: i < posts -> if :: site[i].item == it && site[i].st != GONE && site[i].st != TRASH -> suffixed = 1 :: else fi; i++
		:: else -> break
		od;
		i = 0
	};
	SEND(CREATE, "host %d: creates a draft of item %d\n", doCreate, it, s);
	DIE;
	if
#if defined(NO_KNOWN) || defined(NO_VERIFY)
	:: ans == OK -> id = made
	:: ans == DARK -> RESET; s++; goto slot
#else
	:: ans == OK && !suffixed -> id = made
	:: ans == OK && suffixed -> /* the item has a post already: all go on with its lowest draft */
		d_step { lookUp(it) };
		if :: fate != REUSE || ELSEWHERE(id, s) -> goto again :: else fi
	:: ans == DARK -> /* only a look-up tells */
		d_step { lookUp(it) };
		if :: fate != REUSE || ELSEWHERE(id, s) -> RESET; s++; goto slot :: else fi
#endif
	fi;
	d_step { fate = 0; suffixed = 0; made = 0; ans = 0; extra = 0 };
#ifdef CREATE_SCHEDULED
	goto booked;
#endif

round:	skip; /* what a person has done by now has to be respected */
	d_step {
		i = 0;
		do
		:: i < posts -> if :: site[i].theirs && FILLS(i, s) -> stood = 1 :: else fi; i++
		:: else -> break
		od;
		i = 0;
		spoiled = SPOILED(id);
		HAND(me, id)
	};

	/* look again: the slot, and the draft */
#ifndef NO_SECOND_LOOK
	d_step { look(s, s); gone = 0 };
	if :: filled & (1 << s) -> RESET; s++; goto slot :: else fi;
#endif
#ifndef NO_REREAD
	if :: !FLOATS(id) -> goto again :: else fi;
#endif
	DIE;

	/* commit: the clock is read as the request leaves. Nobody can exclude a
	   host that is frozen in between for longer than the lead. */
	atomic {
#ifndef NO_LEAD
		if :: s == 1 && now != EARLY -> RESET; s++; goto slot :: else fi;
#endif
		MUST(!stood, "broken: people first, a commit into a slot that a person had filled\n");
		MUST(!(spoiled && SPOILED(id)), "broken: people first, a commit of a draft that a person had decided about\n");
		stood = 0; spoiled = 0;
		SEND(COMMIT, "host %d: commits post %d\n", doCommit, id, s)
	};
	DIE;
	if :: ans == REFUSED -> goto again :: else fi;

#ifndef NO_READ_BACK
	/* read back: whatever the answer was */
	d_step {
#if AHEAD > 1
		look(1, SLOTS);
#else
		look(s, s);
#endif
		made = 0;
		stands = site[id].st == FUTURE && site[id].at == s
	};
	if
	:: !stands && ans == DARK && rounds + 1 < ROUNDS -> rounds++; gone = 0; ans = 0; goto round
	:: !stands && !(ans == DARK && rounds + 1 < ROUNDS) -> RESET; s++; goto slot
	:: else -> ans = 0; stands = !(gone & (1 << id))
	fi;
	if
	:: gone -> tendBack = READBACK; goto withdraw
	:: else
	fi;
readBack:
	if :: !stands -> goto again :: else -> stands = 0 fi;
#else
	if :: ans != OK -> RESET; s++; goto slot :: else fi;
#endif

booked:	skip; /* surplus drafts of the item, then the file */
	d_step { lookUp(it); id = NIL; fate = 0; made = 0 };
	deleteBack = SURPLUS;
	goto delete;
consume:
	skip;
	d_step {
		j = stands; RESET; stands = j; j = 0;
		disk[me].queued[it] = 0; disk[me].done[it] = 1; tried = tried | (1 << it);
		printf("host %d: item %d is done with\n", me, it)
	};
	if
	:: deleteBack == KNOWN && !stands -> goto pick
	:: else -> stands = 0; s++; goto slot
	fi;

again:	skip; /* the site has changed: look the item up again */
	d_step { RESET; restarts++ };
	if
	:: restarts > RESTARTS -> s++; goto slot
	:: else -> goto pick
	fi;

	/* Withdraws what is gone, none so near its slot that it could be live. */
withdraw:
	if
	:: gone ->
		d_step { first(gone) };
		atomic {
			if
			:: now == PAST && site[target].at == 1
			:: else -> SEND(WITHDRAW, "host %d: withdraws post %d\n", doWithdraw, target, 0)
			fi
		};
		d_step { target = 0; made = 0; ans = 0 };
		DIE;
		goto withdraw
	:: else -> tended = 0
	fi;

	/* Our drafts: one whose file is in done/ here brings it back to the queue;
	   if its item is booked after all, it is surplus. */
tend:	if
	:: tended -> goto tendOver
	:: else -> tended = 1
	fi;
#ifndef NO_RESTORE
	x = 1;
tendNext:
	if
	:: x > ITEMS -> x = 0; goto tendOver
	:: x <= ITEMS && !disk[me].done[x] -> x++; goto tendNext
	:: else
	fi;
	d_step {
		lookUp(x);
		if
		:: fate == REUSE ->
			disk[me].done[x] = 0; disk[me].queued[x] = 1; tried = tried & ~(1 << x); extra = 0;
			printf("host %d: item %d is back in the queue\n", me, x)
		:: else
		fi;
		fate = 0; id = NIL
	};
	deleteBack = TEND;
	goto delete;
#endif
tendOver:
	if
	:: tendBack == LOOK -> goto slot
	:: tendBack == PICK -> goto pick
#ifndef NO_READ_BACK
	:: tendBack == READBACK -> goto readBack
#endif
	fi;

	/* Deletes surplus drafts, each after one more read of it. */
delete:	if
	:: extra ->
		d_step {
			first(extra);
			if :: FLOATS(target) :: else -> target = NIL fi
		};
		if
		:: target == NIL
		:: else -> SEND(ERASE, "host %d: deletes draft %d\n", doErase, target, 0)
		fi;
		d_step { target = 0; made = 0; ans = 0 };
		DIE;
		goto delete
	:: else
	fi;
	if
#ifndef NO_RESTORE
	:: deleteBack == TEND -> deleteBack = 0; x++; goto tendNext
#endif
	:: else -> goto consume
	fi;

over:	skip;
	d_step { RESET; s = 0; todo = 0; it = 0; x = 0; restarts = 0; filled = 0; tried = 0; later = 0; tended = 0; tendBack = 0; deleteBack = 0; HAND(me, NIL) };
	goto next;

stop:	ended++
}

/* ---- the clock, and the judgement */

/* What slot 1 holds, ours and others'. */
inline count() {
	p = 0; ours = 0; others = 0;
	do
	:: p < posts ->
		if
		:: !FILLS(p, 1)
		:: FILLS(p, 1) && STANDS(p) -> ours++
		:: else -> others++
		fi;
		p++
	:: else -> break
	od;
	p = 0
}

/* What there is of item q: booked in slot 1, in slot 2, waiting as a draft. */
inline countItem(q) {
	p = 0; today = 0; later = 0; drafts = 0;
	do
	:: p < posts ->
		if
		:: site[p].item == q && STANDS(p) && site[p].at == 1 -> today = 1
		:: site[p].item == q && STANDS(p) && site[p].at == 2 -> later = 1
		:: site[p].item == q && FLOATS(p) && !site[p].theirs && p < seen -> drafts++
		:: else
		fi;
		p++
	:: else -> break
	od;
	p = 0
}

inline judgeSlot() {
	count();
	printf("judge: slot 1 has %d of ours, %d others\n", ours, others);
	MUST(ours <= 1, "broken: never two\n");
	q = 1;
	do
	:: q <= ITEMS ->
		countItem(q);
		MUST(ours + others > 0 || excused || meddled[q] || later || !HAS(last, q), "broken: never none\n");
		q++
	:: else -> break
	od;
	q = 0
}

init {
	byte p, q, ours, others, drafts, seen = MAXPOSTS;
	bit today, later;
	atomic {
		if :: last = 0 :: last = 1 fi;
		p = 1;
		do
		:: p <= ITEMS -> disk[0].queued[p] = 1; disk[1].queued[p] = 1; p++
		:: else -> p = 0; break
		od;
#if ITEMS > 1
		if :: disk[1].queued[1] = 0 :: true fi; /* two items at once, or the same */
#endif
		run Host(0); run Host(1)
	};
#ifndef NO_LAST_LOOK
	(looked == 1); now = NEAR; printf("clock: the lead begins\n");
	(looked == 2 && SETTLED_AIR);
	d_step {
		judgeSlot();
#if SLOTS == 1 && !defined(UNTIDY)
		q = 1;
		do
		:: q <= ITEMS ->
			seen = born; countItem(q); seen = MAXPOSTS;
			MUST(meddled[q] || today || !disk[last].done[q] || drafts == 0, "broken: back in queue\n");
			MUST(meddled[q] || !today || drafts == 0 || !disk[last].done[q], "broken: no litter\n");
			q++
		:: else -> break
		od;
#endif
		p = 0; q = 0; ours = 0; others = 0; today = 0; later = 0; drafts = 0;
		now = PAST;
		do
		:: p < posts -> if :: site[p].st == FUTURE && site[p].at == 1 -> site[p].st = PUBLIC :: else fi; p++
		:: else -> break
		od;
		p = 0;
		printf("clock: the slot has come\n")
	};
#endif
	(ended == 2 && CALMAIR);
	d_step {
		judgeSlot();
		q = 1;
		do
		:: q <= ITEMS ->
			countItem(q);
			MUST(!(today && later), "broken: no item twice\n");
			MUST(meddled[q] || today || later || drafts > 0 || disk[0].queued[q] || disk[1].queued[q], "broken: no item lost\n");
			q++
		:: else -> break
		od
	}
}
