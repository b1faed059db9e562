// @ts-check

import { showAdmitted } from "./admitted.js";
import { ask, createKey, forgetDevice, readDevice, saveDevice, send } from "./device.js";
import { fieldOf, find, say, showOnly, suggestName, tell } from "./view.js";

/** The code of the link is taken out of the address at once: it must not stay in the history, or in a screenshot. */
const [kind, code] = location.hash.slice(1).split("=");
if (location.hash !== "") history.replaceState(null, "", location.pathname);

const WAIT_MS = 1000;

begin().catch(tell);

async function begin() {
  if (!isSecureContext) {
    say("This page works over HTTPS, or on the hub's own machine, only: elsewhere a browser has no keys.");
    return;
  }
  suggestName();
  if ((await readDevice()) !== undefined) return enter();
  if (kind === "start" && code !== undefined) return showFirst(code);
  showClaim(kind === "pair" ? code : undefined);
}

/** @param {string} startCode */
function showFirst(startCode) {
  showOnly("first");
  onSubmit("first-form", async (form) => {
    const [name, pin, again] = [fieldOf(form, "name"), fieldOf(form, "pin"), fieldOf(form, "again")];
    if (pin !== again) throw new Error("Those are two different PINs.");
    const { key, publicKey } = await createKey();
    const { device } = await send("POST", "/api/pair/start", { code: startCode, key: publicKey, name, pin });
    await saveDevice({ id: device.id, key });
    form.reset();
    await enter();
    say("This browser is approver now.");
  });
}

/** @param {string | undefined} linkCode */
function showClaim(linkCode) {
  showOnly("claim");
  if (linkCode !== undefined) {
    find("claim-code").hidden = true;
    find("claim-how").textContent = "This link lets this browser ask to be admitted. An approver then confirms it.";
  }
  onSubmit("claim-form", async (form) => {
    const { key, publicKey } = await createKey();
    const wish = { code: linkCode ?? fieldOf(form, "code"), key: publicKey, name: fieldOf(form, "name") };
    const { claim, match } = await send("POST", "/api/pair/claim", wish);
    await wait(claim, match, key);
  });
}

/**
 * @param {string} claim
 * @param {string} match
 * @param {CryptoKey} key
 */
async function wait(claim, match, key) {
  showOnly("waiting");
  find("match").textContent = `${match.slice(0, 3)} ${match.slice(3)}`;
  say("Waiting for an approver.");
  onSubmit("pin-form", async (form) => {
    const pin = fieldOf(form, "pin");
    form.reset();
    await send("POST", "/api/pair/admit", { claim, pin });
  });
  for (;;) {
    const { state, device } = await send("POST", "/api/pair/state", { claim });
    if (state === "admitted") {
      await saveDevice({ id: device, key });
      await enter();
      say("This browser is admitted.");
      return;
    }
    if (state !== "claimed") {
      showClaim(undefined);
      throw new Error(state === "refused" ? "An approver refused it." : "Nobody confirmed it in time.");
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
}

/** Shows who this browser is; or, when it is nobody any more, how to be admitted again. */
async function enter() {
  try {
    await showAdmitted(ask);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "NOT_AUTHORISED") throw error;
    await forgetDevice();
    showClaim(undefined);
    throw new Error("This browser is not admitted any more.");
  }
}

/**
 * @param {string} id
 * @param {(form: HTMLFormElement) => Promise<void>} act
 */
function onSubmit(id, act) {
  const form = find(id);
  if (!(form instanceof HTMLFormElement)) throw new Error(`${id} is no form.`);
  form.onsubmit = (event) => {
    event.preventDefault();
    const buttons = [...form.querySelectorAll("button")];
    for (const button of buttons) button.disabled = true;
    tell(undefined);
    act(form)
      .catch(tell)
      .finally(() => {
        for (const button of buttons) button.disabled = false;
      });
  };
}
