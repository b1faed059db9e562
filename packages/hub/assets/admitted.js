// @ts-check
import { button, element, find, say, showOnly, tell } from "./view.js";

/** @typedef {(method: string, path: string, body?: object) => Promise<any>} Ask what the hub answers is believed: it is our own */
/** @typedef {{ id: string, name: string, role: string, revokedAt: string | null }} Credential */
/** @typedef {Credential & { admittedBy: string }} Device */
/** @typedef {Credential & { owner: string, expiresAt: string | null }} Token */
/** @typedef {{ id: string, name: string, role: string, state: string }} Pairing */
/** @typedef {{ id: string, at: string, message: string }} Alarm */
/** @typedef {{ id: string, name: string, role: string, alarms: readonly Alarm[], resetDueAt: number | null }} Me */

const REFRESH_MS = 2000;

/** What was drawn last, so that nothing is drawn again under a person's fingers unless it changed.
 * @type {Map<string, string>} */
const drawn = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {Ask} ask */
export async function showAdmitted(ask) {
  /** @type {Me} */
  const me = await ask("GET", "/api/me");
  showOnly("admitted");
  find("me").textContent = `You are ${me.name}: ${me.role}.`;
  await refresh(ask);
  const again = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const turn = document.hidden ? Promise.resolve() : refresh(ask);
      turn.then(again, (error) => {
        tell(error);
        if (error.code === "NOT_AUTHORISED") location.reload();
        else again();
      });
    }, REFRESH_MS);
  };
  again();
}

/** @param {Ask} ask */
async function refresh(ask) {
  /** @type {Me} */
  const me = await ask("GET", "/api/me");
  const isApprover = me.role === "approver" || me.role === "admin";
  drawAlarms(ask, me, isApprover);
  if (!isApprover) return;
  /** @type {{ pairings: Pairing[] }} */
  const { pairings } = await ask("GET", "/api/pairings");
  draw(
    "pairings",
    pairings.filter((one) => one.state === "claimed"),
    (one) => pairingRow(ask, one),
  );
  /** @type {{ devices: Device[] }} */
  const { devices } = await ask("GET", "/api/devices");
  draw("devices", devices.filter(isThere), (one) =>
    row(one.id === me.id ? `${one.name} (this one)` : one.name, `${one.role}, admitted by ${one.admittedBy}`, revoke(ask, "devices", one)),
  );
  /** @type {{ tokens: Token[] }} */
  const { tokens } = await ask("GET", "/api/tokens");
  draw("tokens", tokens.filter(isThere), (one) =>
    row(
      one.name,
      `${one.role}, owner ${one.owner}${one.expiresAt === null ? "" : `, expires ${one.expiresAt}`}`,
      ...(me.role === "admin" ? [revoke(ask, "tokens", one)] : []),
    ),
  );
}

/**
 * @param {Ask} ask
 * @param {Me} me
 * @param {boolean} isApprover
 */
function drawAlarms(ask, me, isApprover) {
  const seen = JSON.stringify([me.alarms, me.resetDueAt]);
  if (drawn.get("alarms") === seen) return;
  drawn.set("alarms", seen);
  const all = me.alarms.map((alarm) => {
    const line = element("p", `Alarm, ${new Date(alarm.at).toLocaleString()}: ${alarm.message} `);
    if (isApprover)
      line.append(
        button("Noted", `Noted: ${alarm.message}`, () => ask("POST", `/api/alarms/${alarm.id}/seen`, {}).then(() => refresh(ask))),
      );
    return line;
  });
  if (me.resetDueAt !== null) {
    const line = element("p", `Every approver is removed at ${new Date(me.resetDueAt).toLocaleTimeString()}. `);
    if (isApprover)
      line.append(
        button("Cancel that", "Cancel the removal of every approver", () => ask("DELETE", "/api/reset-approver").then(() => refresh(ask))),
      );
    all.unshift(line);
  }
  for (const line of all) line.className = "alarm";
  find("alarms").replaceChildren(...all);
  if (all.length > 0) say(`${all.length} ${all.length === 1 ? "alarm" : "alarms"}.`);
}

/**
 * @template T
 * @param {string} id
 * @param {readonly T[]} items
 * @param {(item: T) => Node} toRow
 */
function draw(id, items, toRow) {
  const seen = JSON.stringify(items);
  if (drawn.get(id) === seen) return;
  drawn.set(id, seen);
  find(id).hidden = items.length === 0;
  find(id)
    .querySelector("ul")
    ?.replaceChildren(...items.map(toRow));
  if (id === "pairings" && items.length > 0) say("A device waits to be admitted.");
}

/**
 * @param {string} name
 * @param {string} facts
 * @param {...(Node | string)} more
 */
function row(name, facts, ...more) {
  return element("li", element("strong", name), `: ${facts} `, ...more);
}

/**
 * @param {Ask} ask
 * @param {Pairing} pairing
 */
function pairingRow(ask, pairing) {
  const input = document.createElement("input");
  input.inputMode = "numeric";
  input.autocomplete = "off";
  const label = element("label", `The number that ${pairing.name} shows. Only if you began this yourself: `, input);
  const admit = button("Admit", `Admit ${pairing.name} as ${pairing.role}`, () =>
    ask("POST", `/api/pairings/${pairing.id}/confirm`, { match: input.value }).then(() => {
      say(`${pairing.name} is admitted.`);
      return refresh(ask);
    }),
  );
  const refuse = button("Refuse", `Refuse ${pairing.name}`, () =>
    ask("POST", `/api/pairings/${pairing.id}/refuse`, {}).then(() => refresh(ask)),
  );
  return row(pairing.name, `asks to be ${pairing.role}`, label, admit, " ", refuse);
}

/**
 * @param {Ask} ask
 * @param {string} kind
 * @param {Credential} one
 */
function revoke(ask, kind, one) {
  return button("Revoke", `Revoke ${one.name}`, () => ask("DELETE", `/api/${kind}/${one.id}`).then(() => refresh(ask)));
}

/** @param {Credential} one */
function isThere(one) {
  return one.revokedAt === null;
}
