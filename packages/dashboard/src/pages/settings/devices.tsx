import type { DeviceView, PairingView, TokenView } from "@earshot/hub";
import { type ReactNode, useState } from "react";
import { createPinParameters } from "../../admission/pin-key.ts";
import { announceInRegion } from "../../announce/regions.ts";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { useEvery, useHubRead, useOwnIdentity } from "../../hub/use-hub.ts";
import { Form, TextInput } from "../../parts/form.tsx";

const LOOK_EVERY_MS = 2000;

/** Admitted devices and pairing requests. Visible only to approvers. */
export function Devices(): ReactNode {
  const me = useOwnIdentity();
  const isApprover = me.role !== "viewer";
  const pairings = useHubRead<{ readonly pairings: readonly PairingView[] }>(isApprover ? "/api/pairings" : undefined);
  const devices = useHubRead<{ readonly devices: readonly DeviceView[] }>(isApprover ? "/api/devices" : undefined);
  const tokens = useHubRead<{ readonly tokens: readonly TokenView[] }>(isApprover ? "/api/tokens" : undefined);
  const claimed = (pairings.answer?.pairings ?? []).filter(({ state }) => state === "claimed");
  const again = () => {
    if (!isApprover) return;
    pairings.again();
    devices.again();
    tokens.again();
  };
  useEvery(LOOK_EVERY_MS, again);
  return (
    <section aria-labelledby="devices-title">
      <h2 id="devices-title">Devices and programs</h2>
      <p>{`You are ${me.name}: ${me.role}.`}</p>
      {isApprover ? null : <p className="soft">Only approvers can see the other devices.</p>}
      {claimed.length === 0 ? null : (
        <>
          <h3>Waiting to be admitted</h3>
          <ul className="rows">
            {claimed.map((one) => (
              <PairingRow key={one.id} pairing={one} onDone={again} />
            ))}
          </ul>
        </>
      )}
      {me.role === "admin" ? <PinPart /> : null}
      {isApprover ? (
        <>
          <p className="soft">
            <code>earshot device add</code> admits another browser or a phone, <code>earshot token create</code> makes a credential for a
            program.
          </p>
          <h3>Devices</h3>
          <ul className="rows">
            {(devices.answer?.devices ?? []).filter(isThere).map((one) => (
              <CredentialRow
                key={one.id}
                kind="devices"
                one={one}
                facts={`${one.role}, admitted by ${one.admittedBy}${one.id === me.id ? ", this one" : ""}`}
                mayRevoke
                onDone={again}
              />
            ))}
          </ul>
          <h3>Programs</h3>
          {tokens.answer?.tokens.some(isThere) === false ? <p className="soft">No program has a token.</p> : null}
          <ul className="rows">
            {(tokens.answer?.tokens ?? []).filter(isThere).map((one) => (
              <CredentialRow
                key={one.id}
                kind="tokens"
                one={one}
                facts={`${one.role}, owner ${one.owner}${one.expiresAt === null ? "" : `, expires ${one.expiresAt}`}`}
                mayRevoke={me.role === "admin"}
                onDone={again}
              />
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

/** The PIN is asked for here, once: a terminal cannot set it, since an agent's shell could. */
function PinPart(): ReactNode {
  const { answer, again } = useHubRead<{ readonly pin: object | null }>("/api/ticket");
  const setPin = async (value: (name: string) => string) => {
    const pin = value("pin");
    if (pin !== value("again")) throw new Error("The two PINs differ.");
    await requestAsDevice("POST", "/api/pin", { pin: await createPinParameters(pin) });
    announceInRegion("polite", "The PIN is set.");
    again();
  };
  if (answer === undefined) return null;
  if (answer.pin !== null)
    return <p className="soft">A PIN is set. It decides in a terminal and admits a device if every browser is lost.</p>;
  return (
    <div className="panel">
      <h3>No PIN is set</h3>
      <p>A PIN lets you decide in a terminal, and admits a new browser if this one is lost. It is never sent.</p>
      <Form submit="Set the PIN" onSubmit={setPin}>
        {/* Password managers store a password under a name, and browsers ask for one. */}
        <input type="text" name="username" autoComplete="username" value="Earshot" readOnly hidden />
        <TextInput
          label="New PIN, at least 6 characters"
          name="pin"
          type="password"
          minLength={6}
          maxLength={128}
          autoComplete="new-password"
        />
        <TextInput label="The same PIN again" name="again" type="password" autoComplete="new-password" />
      </Form>
    </div>
  );
}

function PairingRow({ pairing, onDone }: { readonly pairing: PairingView; readonly onDone: () => void }): ReactNode {
  const admit = async (value: (name: string) => string) => {
    await requestAsDevice("POST", `/api/pairings/${pairing.id}/confirm`, { match: value("match") });
    announceInRegion("polite", `${pairing.name} is admitted.`);
    onDone();
  };
  const refuse = () => void requestAsDevice("POST", `/api/pairings/${pairing.id}/refuse`, {}).then(onDone, onDone);
  return (
    <li className="row">
      <strong>{pairing.name}</strong> asks to be {pairing.role}
      <Form submit={`Admit ${pairing.name} as ${pairing.role}`} onSubmit={admit}>
        <TextInput label={`The number that ${pairing.name} shows. Only if you began this yourself`} name="match" />
      </Form>
      <button type="button" className="button" onClick={refuse}>
        {`Refuse ${pairing.name}`}
      </button>
    </li>
  );
}

interface CredentialRowProps {
  readonly kind: "devices" | "tokens";
  readonly one: DeviceView | TokenView;
  readonly facts: string;
  readonly mayRevoke: boolean;
  readonly onDone: () => void;
}

/** Revoking asks for confirmation: it cannot be undone. */
function CredentialRow({ kind, one, facts, mayRevoke, onDone }: CredentialRowProps): ReactNode {
  const [isSure, setSure] = useState(false);
  const [problem, setProblem] = useState<string>();
  const revoke = () => {
    if (!isSure) {
      setSure(true);
      return;
    }
    requestAsDevice("DELETE", `/api/${kind}/${one.id}`).then(onDone, (error: unknown) =>
      setProblem(error instanceof Error ? error.message : "The action failed. Try again."),
    );
  };
  return (
    <li className="row">
      <strong>{one.name}</strong>: {facts}{" "}
      {mayRevoke ? (
        <button type="button" className="button" onClick={revoke} onBlur={() => setSure(false)}>
          {isSure ? `Really revoke ${one.name}? It cannot be undone.` : `Revoke ${one.name}`}
        </button>
      ) : null}
      {problem === undefined ? null : <p className="problem">{problem}</p>}
    </li>
  );
}

function isThere({ revokedAt }: DeviceView | TokenView): boolean {
  return revokedAt === null;
}
