import type { PairingClaimState } from "@earshot/hub";
import { type ReactNode, useEffect, useState } from "react";
import { announceInRegion } from "../announce/regions.ts";
import { saveDevice } from "../hub/device.ts";
import { requestAsStranger } from "../hub/request-as-device.ts";
import { Form, TextInput } from "../parts/form.tsx";
import { provePinInBrowser, readPinChallenge } from "./pin-key.ts";

export interface ShownPairingClaim {
  readonly id: string;
  readonly match: string;
  readonly key: CryptoKey;
}

export interface WaitingProps {
  readonly claim: ShownPairingClaim;
  readonly onAdmitted: () => void;
  readonly onEnded: (why: string) => void;
}

const LOOK_EVERY_MS = 1000;

/** Shows the number that an approver must type, and waits for the approval or the PIN. */
export function WaitingForApprover({ claim, onAdmitted, onEnded }: WaitingProps): ReactNode {
  const [hasPin, setHasPin] = useState(false);
  useEffect(() => {
    void readPinChallenge().then(
      ({ pin }) => setHasPin(pin !== null),
      () => {}, // the hub is away, which the poll reports
    );
  }, []);
  useEffect(() => {
    let isGone = false;
    announceInRegion("polite", "Waiting for an approver.");
    const look = async () => {
      while (!isGone) {
        const { state, device } = await requestAsStranger<PairingClaimState>("POST", "/api/pair/state", { claim: claim.id });
        if (isGone) return;
        if (state === "admitted" && device !== null) {
          await saveDevice({ id: device, key: claim.key });
          onAdmitted();
          return;
        }
        if (state !== "claimed") {
          onEnded(state === "refused" ? "An approver refused to admit this browser." : "No approver confirmed the request in time.");
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
    };
    look().catch((error: unknown) => onEnded(error instanceof Error ? error.message : "The hub could not be reached."));
    return () => {
      isGone = true;
    };
  }, [claim, onAdmitted, onEnded]);
  const admit = async (value: (name: string) => string) => {
    const proof = await provePinInBrowser(value("pin"), `admit ${claim.id}`);
    await requestAsStranger("POST", "/api/pair/admit", { claim: claim.id, ...proof });
  };
  return (
    <section aria-labelledby="waiting-title">
      <h2 id="waiting-title">Waiting for an approver</h2>
      <p>
        Type this number in a browser that is already an approver, or where <code>earshot device add</code> runs:
      </p>
      <p className="match">{`${claim.match.slice(0, 3)} ${claim.match.slice(3)}`}</p>
      {hasPin ? (
        <Form submit="Admit with the PIN" onSubmit={admit}>
          <TextInput label="Or the PIN, here" name="pin" type="password" />
        </Form>
      ) : null}
    </section>
  );
}
