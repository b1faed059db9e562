import { expect, it } from "vitest";
import { EntryQueue } from "./entry-queue.ts";
import { someConfirmation, someEntry } from "./testing/some-request.ts";

const never = () => false;

it("what may ask waits a moment for the hub's word, and what follows waits with it", () => {
  const queue = new EntryQueue();
  queue.push([someConfirmation({ position: 1 }), someEntry({ position: 2 }), someConfirmation({ position: 3 })], 1000);
  expect(queue.take(1000, never).map(({ position }) => position)).toEqual([1]);
  expect(queue.dueAt()).toBe(3000);
  expect(queue.take(2999, never)).toEqual([]);
  expect(queue.take(3000, never).map(({ position }) => position)).toEqual([2, 3]);
  expect(queue.dueAt()).toBeUndefined();
});

it("waits no longer once the hub has spoken", () => {
  const queue = new EntryQueue();
  queue.push([someEntry({ position: 2 }), someEntry({ position: 3 })], 1000);
  expect(queue.take(1001, (position) => position === 2).map(({ position }) => position)).toEqual([2]);
});

it("waits for nobody who cannot ask", () => {
  const queue = new EntryQueue();
  queue.push([someEntry({ verified: false }), someEntry({ type: "action.completed" })], 1000);
  expect(queue.take(1000, never)).toHaveLength(2);
});

it("waits no longer once something came of the action, or its hook was answered", () => {
  const { event } = someEntry();
  for (const after of [
    someEntry({ position: 9, type: "action.completed" }),
    someEntry({ position: 9, kind: "message", type: "hook.response", event: { action_id: "call_1" } }),
  ]) {
    const queue = new EntryQueue();
    const other = someEntry({ position: 8, event: { ...event, action: { type: "tool_call", id: "call_2" } } });
    queue.push([someEntry({ position: 7 }), other, after], 1000);
    expect(queue.take(1001, never).map(({ position }) => position)).toEqual([7]);
  }
});

it("what came of the same action of another session says nothing about it", () => {
  const queue = new EntryQueue();
  queue.push([someEntry(), someEntry({ session: "s2", type: "action.completed" })], 1000);
  expect(queue.take(1001, never)).toEqual([]);
});
