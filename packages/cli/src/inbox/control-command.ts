import type { ControlView } from "@earshot/hub";
import { askHub, openHub, tellHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { openOwnHub } from "../unlock-hub.ts";
import { requireKeyboard, unlockTerminal } from "./approver.ts";
import { controlLines } from "./control-lines.ts";

/** Tells how things are set, to anybody who may read. */
export async function showControl(io: Io, { json }: { readonly json: boolean }): Promise<number> {
  const view = (await (await askHub(await openHub(process.env), "/api/control")).json()) as ControlView;
  print(view, io, json);
  return EXIT.ok;
}

/** Changes how things are set, as an approver. */
export async function setControl(
  path: string,
  body: object,
  io: Io,
  { json, done }: { readonly json: boolean; readonly done: string },
): Promise<number> {
  requireKeyboard(io);
  const hub = await openOwnHub(process.env);
  await using approver = await unlockTerminal(io, hub);
  if (approver === undefined) return EXIT.found;
  const view = await tellHub<ControlView>(await approver.access(hub), "POST", path, body);
  if (!json) io.out(`${done}\n`);
  print(view, io, json);
  return EXIT.ok;
}

function print(view: ControlView, io: Io, json: boolean): void {
  if (json) io.out(`${JSON.stringify(view, null, 2)}\n`);
  else for (const line of controlLines(view, Date.now())) io.out(`${line}\n`);
}
