import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLifecycle, type LifecycleOptions } from "../intake/lifecycle.ts";
import type { NewRequest, RequestDecision, RequestQuery } from "../request.ts";
import type { StoredVerdict, Verdict } from "../verdict.ts";
import type { EventLifecycle, Ledger, LedgerEntry, LoggedRemoval, SessionCursor, SessionInfo, SessionPage, Submission } from "./ledger.ts";
import { RECEIVED_AT, REPLY_TOKEN, toAaepText, toAepText, toAopText, toAskingText, toSubmission } from "./testing/submissions.ts";

/** Opens ledgers of the tested kind: an empty store that can be reopened, one at a time. */
export interface LedgerStore extends AsyncDisposable {
  open(lifecycle: EventLifecycle): Promise<Ledger>;
}

const PLAIN: LifecycleOptions = { strict: false };

/** The tests every ledger must pass. */
export function describeLedger(
  name: string,
  createStore: () => Promise<LedgerStore>,
  { givesRoomBack = true }: { readonly givesRoomBack?: boolean } = {},
): void {
  const withLedger = async (test: (ledger: Ledger, store: LedgerStore) => Promise<void>, options: Partial<LifecycleOptions> = {}) => {
    await using store = await createStore();
    await using ledger = await store.open(createLifecycle({ ...PLAIN, ...options }));
    await test(ledger, store);
  };

  describe(name, () => {
    it("stores what was said as it was said, and gives it back in order of position", () =>
      withLedger(async (ledger) => {
        const texts = [toAopText({ sequence: 1, type: "session.started" }), ` {"odd" : 1.0,${toAopText({ sequence: 2 }).slice(1)}\n`];
        const verdicts = await ledger.append(texts.map((text) => toSubmission(text)));
        expect(verdicts.map((verdict) => verdict.ok)).toEqual([true, true]);
        const { entries, upTo } = await ledger.read({ after: 0, limit: 10 });
        expect(entries.map(({ text }) => text)).toEqual(texts);
        expect(entries.map(({ position }) => position)).toEqual(verdicts.map((verdict) => (verdict as StoredVerdict).position));
        expect(upTo).toBe(await ledger.head());
        expect(entries[0]).toMatchObject({
          protocol: "aop",
          source: "local",
          session: "sess_1",
          agent: "a1",
          sequence: 1,
          receivedAt: RECEIVED_AT,
        });
      }));

    it("acknowledges a redelivered event with its first position, also in the same batch and after a restart", async () => {
      await using store = await createStore();
      for (const say of [toAopText, toAepText, toAaepText]) {
        const text = say({ sequence: 7, id: "7" });
        const ledger = await store.open(createLifecycle(PLAIN));
        const [first, second] = await ledger.append([toSubmission(text), toSubmission(text)]);
        const [third] = await ledger.append([toSubmission(text)]);
        await ledger.close();
        const again = await store.open(createLifecycle(PLAIN));
        const [fourth] = await again.append([toSubmission(text)]);
        const [reordered] = await again.append([toSubmission(reverseKeys(text))]);
        await again.close();
        expect(first).toMatchObject({ ok: true, duplicate: false });
        for (const verdict of [second, third, fourth, reordered])
          expect(verdict).toMatchObject({ ok: true, duplicate: true, position: positionOf(first) });
      }
    });

    it("refuses another body under a known id in AAEP and AEP, and says where the first one is", () =>
      withLedger(async (ledger) => {
        for (const say of [toAepText, toAaepText]) {
          const [first] = await ledger.append([toSubmission(say({ id: "same" }))]);
          const head = await ledger.head();
          const [other] = await ledger.append([toSubmission(say({ id: "same", time: "2026-01-02T03:04:06.000Z" }))]);
          expect(other).toMatchObject({ ok: false, problem: { code: "EVENT_ID_CONFLICT" } });
          expect(other?.ok === false && other.problem.message).toContain(String(positionOf(first)));
          expect(await ledger.head()).toBe(head);
        }
      }));

    it("keeps both bodies of one AOP number and flags the second", () =>
      withLedger(async (ledger) => {
        const [, second] = await ledger.append([
          toSubmission(toAopText({ sequence: 3 })),
          toSubmission(toAopText({ sequence: 3, payload: { other: 1 } })),
        ]);
        expect(second).toMatchObject({ ok: true, duplicate: false });
        expect((second as StoredVerdict).flags.map(({ rule }) => rule)).toContain("aop/sequence-unique");
        const [again] = await ledger.append([toSubmission(toAopText({ sequence: 3, payload: { other: 1 } }))]);
        expect(again).toMatchObject({ duplicate: true, position: positionOf(second) });
      }));

    it("recognizes each repeated event of a sender that does not count, from any agent", () =>
      withLedger(async (ledger) => {
        // More entries of one number than are compared, of more agents.
        const said = Array.from({ length: 200 }, (_, index) => toAopText({ sequence: 1, agent: `a${index % 90}`, payload: { index } }));
        const first = await ledger.append(said.map((text) => toSubmission(text)));
        const again = await ledger.append(said.map((text) => toSubmission(reverseKeys(text))));
        expect(first.every((verdict) => verdict.ok && !verdict.duplicate)).toBe(true);
        expect(again).toMatchObject(first.map((verdict) => ({ ok: true, duplicate: true, position: positionOf(verdict) })));
      }));

    it("forgets what it refused: the session goes on as if it had not been said", () =>
      withLedger(
        async (ledger) => {
          const unheard = toSubmission(toAaepText({ id: "1", session: "sess_new", type: "aaep:agent.session.completed" }));
          expect(await ledger.append([unheard])).toMatchObject([{ ok: false, problem: { rule: "aaep/session-starts-first" } }]);
          // Had it been judged, the session would have ended and could not begin again.
          expect(await ledger.append([toSubmission(toAaepText({ id: "2", session: "sess_new" }))])).toMatchObject([
            { ok: true, flags: [] },
          ]);
        },
        { strict: true },
      ));

    it("keeps sources, agents and sessions of the same ids apart", () =>
      withLedger(async (ledger) => {
        const verdicts = await ledger.append([
          toSubmission(toAepText({ id: "x" })),
          toSubmission(toAepText({ id: "x", agent: "codex" })),
          toSubmission(toAepText({ id: "x" }), "other"),
          toSubmission(toAopText({ sequence: 1 })),
          toSubmission(toAopText({ sequence: 1, session: "sess_2" })),
          toSubmission(toAopText({ sequence: 1 }), "other"),
        ]);
        expect(verdicts.map((verdict) => verdict.ok && !verdict.duplicate)).toEqual([true, true, true, true, true, true]);
        expect((await ledger.findSessions("sess_1")).map(({ protocol, source }) => `${protocol} ${source}`).sort()).toEqual([
          "aep local",
          "aep other",
          "aop local",
          "aop other",
        ]);
      }));

    it("lets a refused event harm nothing else in its batch", () =>
      withLedger(
        async (ledger) => {
          const verdicts = await ledger.append([
            toSubmission(toAaepText({ id: "1" })),
            toSubmission(toAaepText({ id: "2", session: "sess_unheard", type: "aaep:agent.session.completed" })),
            toSubmission(toAaepText({ id: "3", session: "sess_other" })),
          ]);
          expect(verdicts.map((verdict) => verdict.ok)).toEqual([true, false, true]);
          expect((await ledger.read({ after: 0, limit: 10 })).entries).toHaveLength(2);
        },
        { strict: true },
      ));

    it("keeps an event that cannot be judged, with a flag that says so", async () => {
      await using store = await createStore();
      const lifecycle = createLifecycle(PLAIN);
      const faulty: EventLifecycle = {
        ...lifecycle,
        handle: (state, said, place) => {
          if (said.text.includes("poison")) throw new Error("a fault");
          return lifecycle.handle(state, said, place);
        },
      };
      await using ledger = await store.open(faulty);
      const verdicts = await ledger.append(
        [1, 2, 3].map((sequence) => toSubmission(toAopText({ sequence, payload: sequence === 2 ? { poison: 1 } : {} }))),
      );
      expect(verdicts.map((verdict) => verdict.ok)).toEqual([true, true, true]);
      expect((verdicts[1] as StoredVerdict).flags).toMatchObject([{ code: "INTERNAL" }]);
    });

    it("judges a session the same whether or not it is closed and opened again after any event", async () => {
      await fc.assert(
        fc.asyncProperty(runs, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), async (run, restarts) => {
          const flags = async (restart: (index: number) => boolean) => {
            await using store = await createStore();
            let ledger = await store.open(createLifecycle(PLAIN));
            const told: unknown[] = [];
            for (const [index, text] of run.entries()) {
              const [verdict] = await ledger.append([toSubmission(text)]);
              told.push(summary(verdict));
              if (!restart(index)) continue;
              await ledger.close();
              ledger = await store.open(createLifecycle(PLAIN));
            }
            await ledger.close();
            return told;
          };
          const without = await flags(() => false);
          expect(await flags((index) => restarts[index % restarts.length] === true)).toEqual(without);
        }),
        { numRuns: 15 },
      );
    });

    it("gives each reader exactly what follows its position, in pages of any size and under any filter", () =>
      withLedger(async (ledger) => {
        const texts = Array.from({ length: 300 }, (_, index) =>
          index % 3 === 0
            ? toAepText({ id: `e${index}` })
            : toAopText({ sequence: index, session: `sess_${index % 5}`, agent: `a${index % 2}` }),
        );
        await ledger.append(texts.map((text) => toSubmission(text)));
        const all = await readAll(ledger, 1000);
        expect(all).toHaveLength(300);
        for (const limit of [1, 7, 299, 300, 301]) expect((await readAll(ledger, limit)).map(position)).toEqual(all.map(position));
        const filters = [
          { protocol: ["aep"] as const },
          { session: "sess_1" },
          { agent: "a1" },
          { type: ["session.start"] },
          { type: ["cognition.*"] },
          { session: "nobody" },
        ];
        for (const filter of filters) {
          const expected = all.filter((entry) => fits(entry, filter));
          for (const limit of [1, 10, 1000]) expect((await readAll(ledger, limit, filter)).map(position)).toEqual(expected.map(position));
        }
      }));

    it("gives an AOP session by sequence whatever order it arrived in, the others by arrival", () =>
      withLedger(async (ledger) => {
        const order = [5, 1, 4, 2, 2, 9, 3];
        await ledger.append(order.map((sequence, index) => toSubmission(toAopText({ sequence, payload: { index } }))));
        await ledger.append(["b", "a", "c"].map((id) => toSubmission(toAepText({ id, session: "sess_1" }))));
        for (const limit of [1, 2, 100]) {
          expect((await sessionOf(ledger, "aop", limit)).map(({ sequence }) => sequence)).toEqual([1, 2, 2, 3, 4, 5, 9]);
          expect((await sessionOf(ledger, "aep", limit)).map(({ text }) => (JSON.parse(text) as { id: string }).id)).toEqual([
            "b",
            "a",
            "c",
          ]);
        }
      }));

    it("wakes followers after entries can be read, and not when nothing was added", () =>
      withLedger(async (ledger) => {
        const heads: number[] = [];
        const stop = ledger.follow((head) => heads.push(head));
        await ledger.append([toSubmission(toAopText({ sequence: 1 }))]);
        await ledger.append([toSubmission(toAopText({ sequence: 1 }))]);
        stop();
        await ledger.append([toSubmission(toAopText({ sequence: 2 }))]);
        expect(heads).toEqual([1]);
      }));

    it("puts a message into the session of what it answers", () =>
      withLedger(async (ledger) => {
        await ledger.append([toSubmission(toAaepText({ id: "1" })), toSubmission(toAskingText("2"))]);
        const reply = JSON.stringify({
          type: "confirmation.reply",
          reply_token: REPLY_TOKEN,
          decision: "accept",
          subscription_id: "sub_1",
          timestamp: "2026-01-02T03:04:07.000Z",
        });
        const [verdict] = await ledger.append([toSubmission(reply, "local", "aaep")]);
        expect(verdict).toMatchObject({ ok: true });
        expect((await sessionOf(ledger, "aaep", 10)).map(({ kind }) => kind)).toEqual(["event", "event", "message"]);
        expect(await ledger.requests({ limit: 10 })).toEqual([]); // evidence, never a decision
      }));

    it("keeps what was refused, newest first, within its bound, and counts what was not kept", () =>
      withLedger(async (ledger) => {
        for (let index = 0; index < 5; index++) {
          ledger.refuse([
            {
              receivedAt: RECEIVED_AT + index,
              source: "local",
              problem: { code: "NOT_JSON", message: "No." },
              text: `${index}`,
              sizeBytes: 1,
            },
          ]);
        }
        ledger.count("overloaded", "local", 3);
        expect((await ledger.refused({ limit: 3 })).map(({ text }) => text)).toEqual(["4", "3", "2"]);
        const [oldest] = await ledger.refused({ limit: 1, before: 2 });
        expect(oldest).toMatchObject({ number: 1, text: "0", problem: { code: "NOT_JSON" } });
        expect(await ledger.counts()).toMatchObject([
          { what: "overloaded", howMany: 3 },
          { what: "refused", howMany: 5 },
        ]);
      }));

    describe("requests", () => {
      const decision: RequestDecision = { requestId: "r1", state: "answered-by-person", digest: "d", by: "ann", answer: '"accept"' };
      const opening = (verified: boolean): Submission => ({
        ...toSubmission(toAskingText("2")),
        source: { protocol: "aaep", name: "local", verified },
        request: { id: "r1", kind: "confirmation", deadlineAt: null, card: "{}", digest: "d" },
      });

      it("are opened with their event, and end once: the first settlement wins, later ones are recorded as late", () =>
        withLedger(async (ledger) => {
          const [opened] = await ledger.append([opening(true)]);
          expect(await ledger.requests({ state: "open", limit: 10 })).toMatchObject([
            { id: "r1", position: positionOf(opened), session: "sess_1" },
          ]);
          const verdicts = await Promise.all([
            ledger.settle(decision),
            ledger.settle({ ...decision, state: "defaulted", by: "hub", answer: '"reject"' }),
          ]);
          expect(verdicts[0]).toMatchObject({ ok: true });
          expect(verdicts[1]).toMatchObject({ ok: false, why: "late", state: "answered-by-person", settledBy: positionOf(verdicts[0]) });
          expect(await ledger.requests({ state: "open", limit: 10 })).toEqual([]);
          expect((await sessionOf(ledger, "aaep", 10)).map(({ kind }) => kind)).toEqual(["event", "decision", "late-decision"]);
        }));

      it("are settled only by who saw what was shown", () =>
        withLedger(async (ledger) => {
          await ledger.append([opening(true)]);
          const head = await ledger.head();
          expect(await ledger.settle({ ...decision, requestId: "r2" })).toEqual({ ok: false, why: "unknown" });
          expect(await ledger.head()).toBe(head);
          expect(await ledger.settle({ ...decision, digest: "other" })).toMatchObject({ ok: false, why: "digest" });
          expect((await ledger.requests({ ids: ["r1"], limit: 10 }))[0]).toMatchObject({ state: "open", settledBy: null });
          const [attempt] = (await ledger.read({ after: head, limit: 1 })).entries;
          expect(attempt).toMatchObject({ kind: "late-decision", type: "decision.mismatched", agent: "ann" });
          expect(await ledger.settle(decision)).toMatchObject({ ok: true });
        }));

      it("get more time for as long as they are open, and every change is an entry of their session", () =>
        withLedger(async (ledger) => {
          await ledger.append([opening(true)]);
          const more: RequestDecision = { requestId: "r1", state: "open", digest: "d", by: "ann", deadlineAt: RECEIVED_AT + 60_000 };
          expect(await ledger.settle({ ...more, digest: "other" })).toMatchObject({ ok: false, why: "digest" });
          expect(await ledger.settle(more)).toMatchObject({ ok: true });
          expect(await ledger.settle({ ...more, deadlineAt: RECEIVED_AT + 30_000 })).toMatchObject({ ok: true });
          expect(await ledger.requests({ state: "open", limit: 10 })).toMatchObject([{ id: "r1", deadlineAt: RECEIVED_AT + 60_000 }]);
          const silence: RequestDecision = { ...decision, state: "defaulted", by: "hub", deadlineAt: RECEIVED_AT + 1000 };
          expect(await ledger.settle(silence)).toEqual({ ok: false, why: "extended", deadlineAt: RECEIVED_AT + 60_000 });
          await ledger.settle(decision);
          expect(await ledger.settle({ ...more, deadlineAt: RECEIVED_AT + 90_000 })).toMatchObject({ ok: false, why: "late" });
          expect(await ledger.requests({ limit: 10 })).toMatchObject([{ state: "answered-by-person", deadlineAt: RECEIVED_AT + 60_000 }]);
          const types = (await sessionOf(ledger, "aaep", 10)).map(({ type }) => type).slice(1);
          expect(types).toEqual(["decision.mismatched", "decision.extended", "decision.extended", "decision", "decision.late"]);
        }));

      it("are found by id, by state, and page by page in either direction", () =>
        withLedger(async (ledger) => {
          const ask = (number: number): Submission => {
            const [request, id] = [opening(true).request, `r${number}`];
            return {
              ...opening(true),
              ...toSubmission(toAskingText(`${10 + number}`)),
              source: opening(true).source,
              request: { ...(request as NewRequest), id },
            };
          };
          await ledger.append([1, 2, 3, 4].map(ask));
          await ledger.settle({ ...decision, requestId: "r2" });
          const ids = async (query: Partial<RequestQuery>) => (await ledger.requests({ limit: 2, ...query })).map(({ id }) => id);
          expect(await ids({})).toEqual(["r1", "r2"]);
          const [, second] = await ledger.requests({ limit: 2 });
          expect(await ids({ after: second?.position ?? 0 })).toEqual(["r3", "r4"]);
          expect(await ids({ before: Number.MAX_SAFE_INTEGER })).toEqual(["r4", "r3"]);
          expect(await ids({ before: second?.position ?? 0 })).toEqual(["r1"]);
          expect(await ids({ state: "open", limit: 9 })).toEqual(["r1", "r3", "r4"]);
          expect(await ids({ ids: ["r4", "r2", "r9"] })).toEqual(["r2", "r4"]);
        }));

      it("are asked and decided at once just as one after the other", async () => {
        const ask = (id: string): Submission => ({
          ...toSubmission(toAskingText(id)),
          source: { protocol: "aaep", name: "local", verified: true },
          request: { id, kind: "confirmation", deadlineAt: RECEIVED_AT + 1000, card: `{"of":"${id}"}`, digest: `d-${id}` },
        });
        const take = (ledger: Ledger, { does }: Step, id: string): Promise<unknown> => {
          if (does === "asks") return ledger.append([ask(id)]);
          const about = { requestId: id, digest: does === "errs" ? "other" : `d-${id}`, by: "ann" };
          if (does === "extends") return ledger.settle({ ...about, state: "open", deadlineAt: RECEIVED_AT + 2000 });
          if (does === "times out") return ledger.settle({ ...about, state: "defaulted", answer: "1", deadlineAt: RECEIVED_AT + 1000 });
          return ledger.settle({ ...about, state: "answered-by-policy", answer: "2" });
        };
        const play = async (ledger: Ledger, steps: readonly Step[], run: number, atOnce: boolean) => {
          const after = await ledger.head();
          const told: Promise<unknown>[] = [];
          for (const step of steps) {
            const telling = take(ledger, step, `${step.request}x${run}`);
            told.push(telling);
            if (!atOnce) await telling;
          }
          const verdicts = await Promise.all(told);
          const { entries } = await ledger.read({ after, limit: 100 });
          return { verdicts, entries, requests: await ledger.requests({ after, limit: 10 }) };
        };
        await using stores = new AsyncDisposableStack();
        const open = async () => {
          const store = stores.use(await createStore());
          return stores.use(await store.open(createLifecycle(PLAIN)));
        };
        const [one, other] = [await open(), await open()];
        let run = 0;
        await fc.assert(
          fc.asyncProperty(fc.array(aStep, { minLength: 1, maxLength: 12 }), async (steps) => {
            run++;
            expect(await play(one, steps, run, true)).toEqual(await play(other, steps, run, false));
          }),
          { numRuns: 50 },
        );
      });

      it("stay settled after a restart", async () => {
        await using store = await createStore();
        const first = await store.open(createLifecycle(PLAIN));
        await first.append([opening(true)]);
        await first.settle(decision);
        await first.close();
        await using second = await store.open(createLifecycle(PLAIN));
        expect(await second.settle({ ...decision, by: "bob" })).toMatchObject({ ok: false, why: "late" });
        expect(await second.requests({ state: "answered-by-person", limit: 10 })).toHaveLength(1);
      });

      it("are never opened by what is unverified", () =>
        withLedger(async (ledger) => {
          await ledger.append([opening(false)]);
          expect(await ledger.requests({ limit: 10 })).toEqual([]);
        }));
    });

    it("cuts a session, tells how much, never uses a position again, and goes on with the session", async () => {
      await using store = await createStore();
      const ledger = await store.open(createLifecycle(PLAIN));
      await ledger.append([1, 2, 3, 4].map((sequence) => toSubmission(toAopText({ sequence }))));
      await ledger.append([toSubmission(toAopText({ sequence: 1, session: "sess_2" }))]);
      const [session] = await ledger.findSessions("sess_1", "aop");
      expect(await ledger.cut(session as SessionInfo, "pruned", 2)).toBe(2);
      expect((await sessionOf(ledger, "aop", 10)).map(({ sequence }) => sequence)).toEqual([3, 4]);
      const [other] = await ledger.findSessions("sess_2", "aop");
      expect(await ledger.cut(session as SessionInfo, "deleted")).toBe(2);
      expect(await ledger.cut(other as SessionInfo, "deleted")).toBe(1);
      expect((await ledger.read({ after: 0, limit: 10 })).entries).toEqual([]);
      await ledger.close();
      await using again = await store.open(createLifecycle(PLAIN));
      const [verdict] = await again.append([toSubmission(toAopText({ sequence: 1 }))]);
      expect(verdict).toMatchObject({ ok: true, duplicate: false, position: 6 });
    });

    it("records each cut and erasure in the removal log, wakes followers, and keeps the log after a restart", async () => {
      await using store = await createStore();
      const ledger = await store.open(createLifecycle(PLAIN));
      await ledger.append([1, 2, 3, 4, 5].map((sequence) => toSubmission(toAopText({ sequence }))));
      const [session] = await ledger.findSessions("sess_1", "aop");
      const logged: Promise<readonly LoggedRemoval[]>[] = [];
      const left: Promise<readonly number[]>[] = [];
      const stop = ledger.follow(() => {
        logged.push(ledger.removals({ after: 0, limit: 10 }));
        left.push(readAll(ledger, 10).then((entries) => entries.map(position)));
      });
      await ledger.cut(session as SessionInfo, "pruned", 2);
      await ledger.erase(4);
      stop();
      await ledger.cut(session as SessionInfo, "deleted");
      const expected = [
        { number: 1, session, reason: "pruned", after: 0, upTo: 2 },
        { number: 2, session, reason: "erased", after: 3, upTo: 4 },
        { number: 3, session, reason: "deleted", after: 2, upTo: 5 },
      ];
      expect((await Promise.all(logged)).map((log) => log.length)).toEqual(expect.arrayContaining([1, 2]));
      expect((await Promise.all(left)).at(-1)).toEqual([3, 5]); // the last wake comes when the entries are gone
      expect(await ledger.removals({ after: 0, limit: 10 })).toMatchObject(expected);
      await ledger.close();
      await using again = await store.open(createLifecycle(PLAIN));
      expect(await again.removals({ after: 1, limit: 1 })).toMatchObject([expected[1]]);
      expect(await again.removals({ after: 3, limit: 10 })).toEqual([]);
    });

    it("erases one text for good: nobody reads it any more, and it does not come back", async () => {
      await using store = await createStore();
      for (const [protocol, say] of [
        ["aop", toAopText],
        ["aep", toAepText],
        ["aaep", toAaepText],
      ] as const) {
        const ledger = await store.open(createLifecycle(PLAIN));
        const texts = ["1", "2", "3"].map((id) => say({ sequence: Number(id), id }));
        const verdicts = await ledger.append(texts.map((text) => toSubmission(text)));
        const erased = positionOf(verdicts[1]);
        expect(await ledger.erase(erased)).toBe(true);
        expect(await ledger.erase(erased)).toBe(false);
        expect((await sessionOf(ledger, protocol, 1)).map(({ text }) => text)).toEqual([texts[0], texts[2]]);
        const { entries, upTo } = await ledger.read({ after: 0, limit: 100 });
        expect(entries.map(({ position }) => position)).not.toContain(erased);
        expect(upTo).toBe(await ledger.head());
        await ledger.close();
        await using again = await store.open(createLifecycle(PLAIN));
        for (const text of [texts[1] ?? "", reverseKeys(texts[1] ?? ""), ` ${texts[1]}`]) {
          const [verdict] = await again.append([toSubmission(text)]);
          expect(verdict).toMatchObject({ ok: true, duplicate: true, position: erased });
        }
        await expect(again.erase(999_999)).rejects.toMatchObject({ problem: { code: "NOT_FOUND" } });
      }
    });

    it("takes less room when entries were cut and the room was given back", () =>
      withLedger(async (ledger) => {
        const content = "x".repeat(20_000);
        for (let sequence = 1; sequence <= 300; sequence++)
          await ledger.append([toSubmission(toAopText({ sequence, payload: { content } }))]);
        const before = await ledger.space();
        const [session] = await ledger.findSessions("sess_1", "aop");
        await ledger.cut(session as SessionInfo, "pruned", 290);
        const given = await ledger.giveBack();
        if (givesRoomBack) expect(given).toBeGreaterThan(0);
        const after = await ledger.space();
        expect(after.fileBytes).toBeLessThan(before.fileBytes / 2);
      }));
  });
}

/** Steps of a request, in any order. */
type Step = typeof aStep extends fc.Arbitrary<infer One> ? One : never;
const aStep = fc.record({
  request: fc.constantFrom("r1", "r2", "r3"),
  does: fc.constantFrom("asks", "asks", "decides", "errs", "extends", "times out"),
});

/** An AOP session with errors: numbers leave gaps, repeat and arrive in any order. */
const runs = fc
  .array(
    fc.record({
      sequence: fc.integer({ min: 0, max: 25 }),
      type: fc.constantFrom("session.started", "session.ended", "cognition.thought", "operation.tool_start", "operation.tool_end"),
      call: fc.integer({ min: 0, max: 3 }),
      agent: fc.constantFrom("a1", "a1", "a1", "a2"),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((events) =>
    events.map(({ sequence, type, call, agent }) => {
      const time = new Date(RECEIVED_AT + sequence * 1000).toISOString();
      const tool = { tool_name: "shell", tool_call_id: `call-${call}`, ...(type.endsWith("end") ? { success: true } : {}) };
      return toAopText({
        sequence,
        type,
        agent,
        time,
        payload: type.startsWith("operation") ? tool : { outcome: "completed", content: "x" },
      });
    }),
  );

function summary(verdict: Verdict | undefined): unknown {
  return verdict?.ok === true
    ? [verdict.position, verdict.duplicate, verdict.flags.map(({ rule, at, message }) => [rule, at, message])]
    : verdict?.problem.code;
}

async function readAll(ledger: Ledger, limit: number, filter?: Parameters<Ledger["read"]>[0]["filter"]): Promise<readonly LedgerEntry[]> {
  const all: LedgerEntry[] = [];
  for (let after = 0; ; ) {
    const { entries, upTo } = await ledger.read({ after, limit, ...(filter === undefined ? {} : { filter }) });
    all.push(...entries);
    if (upTo === after) return all;
    after = upTo;
  }
}

async function sessionOf(ledger: Ledger, protocol: "aaep" | "aep" | "aop", limit: number): Promise<readonly LedgerEntry[]> {
  const [session] = await ledger.findSessions("sess_1", protocol);
  const all: LedgerEntry[] = [];
  if (session === undefined) return all;
  let after: Parameters<Ledger["readSession"]>[0]["after"];
  do {
    const page = await ledger.readSession({ session, limit, ...(after === undefined ? {} : { after }) });
    all.push(...page.entries);
    after = page.next;
  } while (after !== undefined);
  expect(await readSessionBackwards(ledger, session, limit)).toEqual(all.toReversed());
  return all;
}

async function readSessionBackwards(ledger: Ledger, session: SessionInfo, limit: number): Promise<readonly LedgerEntry[]> {
  const all: LedgerEntry[] = [];
  const end: SessionCursor = { ordinal: Number.MAX_SAFE_INTEGER, position: Number.MAX_SAFE_INTEGER };
  for (let before: SessionCursor | undefined = end; before !== undefined; ) {
    const page: SessionPage = await ledger.readSession({ session, limit, before });
    all.push(...page.entries);
    before = page.next;
  }
  return all;
}

function fits(
  entry: LedgerEntry,
  filter: { protocol?: readonly string[]; session?: string; agent?: string; type?: readonly string[] },
): boolean {
  return (
    (filter.protocol?.includes(entry.protocol) ?? true) &&
    (filter.session === undefined || entry.session === filter.session) &&
    (filter.agent === undefined || entry.agent === filter.agent) &&
    (filter.type?.some((type) => (type.endsWith("*") ? entry.type.startsWith(type.slice(0, -1)) : type === entry.type)) ?? true)
  );
}

function position(entry: LedgerEntry): number {
  return entry.position;
}

function positionOf(verdict: { ok: boolean } | undefined): number {
  return verdict !== undefined && "position" in verdict ? (verdict.position as number) : -1;
}

function reverseKeys(text: string): string {
  return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).reverse()));
}
