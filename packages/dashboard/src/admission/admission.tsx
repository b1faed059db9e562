import { type ReactNode, useState } from "react";
import { createKey, saveDevice } from "../hub/device.ts";
import { requestAsStranger } from "../hub/request-as-device.ts";
import { Form } from "../parts/form.tsx";
import { readLink, suggestName } from "./link-code.ts";
import { PairingForm } from "./pairing-form.tsx";
import { type ShownPairingClaim, WaitingForApprover } from "./waiting-for-approver.tsx";

export interface AdmissionProps {
  readonly onAdmitted: () => void;
}

const link = readLink();

/** Admits this browser by the start link, a pairing code or the PIN. */
export function AdmissionPage({ onAdmitted }: AdmissionProps): ReactNode {
  const [claim, setClaim] = useState<ShownPairingClaim>();
  const [ended, setEnded] = useState<string>();
  return (
    <main id="main" className="admission">
      <h1>Earshot is listening</h1>
      {isSecureContext ? null : (
        <p className="problem" role="alert">
          This page needs HTTPS, unless it runs on the same machine as the hub: browsers store keys only in a secure context.
        </p>
      )}
      {ended === undefined ? null : (
        <p className="problem" role="alert">
          {ended}
        </p>
      )}
      {claim !== undefined ? (
        <WaitingForApprover
          claim={claim}
          onAdmitted={onAdmitted}
          onEnded={(why) => {
            setClaim(undefined);
            setEnded(why);
          }}
        />
      ) : link?.kind === "start" && ended === undefined ? (
        <FirstApprover code={link.code} onAdmitted={onAdmitted} />
      ) : (
        <PairingForm code={link?.kind === "pair" && ended === undefined ? link.code : undefined} onClaimed={setClaim} />
      )}
    </main>
  );
}

/** The first browser opened through the start link becomes the approver and admits the others. The link is the proof; a PIN can wait. */
function FirstApprover({ code, onAdmitted }: { readonly code: string; readonly onAdmitted: () => void }): ReactNode {
  const become = async () => {
    const { key, publicKey } = await createKey();
    const wish = { code, key: publicKey, name: suggestName() };
    const { device } = await requestAsStranger<{ device: { id: string } }>("POST", "/api/pair/start", wish);
    await saveDevice({ id: device.id, key });
    onAdmitted();
  };
  return (
    <section aria-labelledby="first-title">
      <h2 id="first-title">Approve your agents' actions here</h2>
      <p>
        {`This browser (${suggestName()}) becomes the approver of this hub: it allows or denies requests and admits other devices. It keeps a key that cannot be copied out of it.`}
      </p>
      <Form submit="Make this browser an approver" onSubmit={become}>
        <p className="soft">You need no PIN now. Set one in Settings to decide in a terminal, or to get back in if this browser is lost.</p>
      </Form>
    </section>
  );
}
