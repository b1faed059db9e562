import type { PairingClaim } from "@earshot/hub";
import type { ReactNode } from "react";
import { createKey } from "../hub/device.ts";
import { requestAsStranger } from "../hub/request-as-device.ts";
import { Form, TextInput } from "../parts/form.tsx";
import { suggestName } from "./link-code.ts";
import type { ShownPairingClaim } from "./waiting-for-approver.tsx";

export interface PairingFormProps {
  /** Code from the link that opened this page. */
  readonly code: string | undefined;
  readonly onClaimed: (claim: ShownPairingClaim) => void;
}

/** Requests admission. */
export function PairingForm({ code, onClaimed }: PairingFormProps): ReactNode {
  const claim = async (value: (name: string) => string) => {
    const { key, publicKey } = await createKey();
    const wish = { code, key: publicKey, name: value("name") };
    const said = await requestAsStranger<PairingClaim>("POST", "/api/pair/claim", wish);
    onClaimed({ id: said.claim, match: said.match, key });
  };
  if (code === undefined) {
    return (
      <section aria-labelledby="claim-title">
        <h2 id="claim-title">Admit this browser</h2>
        <p>
          This browser is not paired. Run <code>earshot device add</code> in a terminal and open the link that it prints here. If the hub
          has no approver yet, run <code>earshot start</code> in a terminal instead.
        </p>
      </section>
    );
  }
  return (
    <section aria-labelledby="claim-title">
      <h2 id="claim-title">Admit this browser</h2>
      <p>With this link, this browser can ask to be paired. An approver then confirms it.</p>
      <Form submit="Ask to be admitted" onSubmit={claim}>
        <TextInput label="Name of this device" name="name" value={suggestName()} maxLength={60} />
      </Form>
    </section>
  );
}
