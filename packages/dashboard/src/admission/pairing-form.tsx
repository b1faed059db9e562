import type { ReactNode } from "react";
import { askAsStranger } from "../hub/ask.ts";
import { createKey } from "../hub/device.ts";
import { Form, TextInput } from "../parts/form.tsx";
import { suggestName } from "./link-code.ts";
import type { Claim } from "./waiting-for-approver.tsx";

export interface PairingFormProps {
  /** From the link that led here; otherwise it is typed. */
  readonly code: string | undefined;
  readonly onClaimed: (claim: Claim) => void;
}

/** Asks to be admitted. */
export function PairingForm({ code, onClaimed }: PairingFormProps): ReactNode {
  const claim = async (value: (name: string) => string) => {
    const { key, publicKey } = await createKey();
    const wish = { code: code ?? value("code"), key: publicKey, name: value("name") };
    const said = await askAsStranger<{ claim: string; match: string }>("POST", "/api/pair/claim", wish);
    onClaimed({ id: said.claim, match: said.match, key });
  };
  return (
    <section aria-labelledby="claim-title">
      <h2 id="claim-title">Admit this browser</h2>
      {code === undefined ? (
        <p>
          This browser is not admitted. Run <code>earshot pair</code> in a terminal and type the words it prints. On a hub that nobody
          approves for yet, run <code>earshot start</code> in a terminal instead.
        </p>
      ) : (
        <p>This link lets this browser ask to be admitted. An approver then confirms it.</p>
      )}
      <Form submit="Ask to be admitted" onSubmit={claim}>
        {code === undefined ? <TextInput label="Code" name="code" /> : null}
        <TextInput label="Name of this device" name="name" value={suggestName()} maxLength={60} />
      </Form>
    </section>
  );
}
