import { type ReactNode, useState } from "react";
import { FirstApprover } from "./first-approver.tsx";
import { readLink } from "./link-code.ts";
import { PairingForm } from "./pairing-form.tsx";
import { type Claim, WaitingForApprover } from "./waiting-for-approver.tsx";

export interface AdmissionProps {
  readonly onAdmitted: () => void;
}

const link = readLink();

/** How this browser is admitted: by the start link, by a pairing code, or by the PIN. */
export function Admission({ onAdmitted }: AdmissionProps): ReactNode {
  const [claim, setClaim] = useState<Claim>();
  const [ended, setEnded] = useState<string>();
  return (
    <main id="main" className="admission">
      <h1>Earshot is listening</h1>
      {isSecureContext ? null : (
        <p className="problem" role="alert">
          This page works over HTTPS, or on the hub's own machine, only: elsewhere a browser has no keys.
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
