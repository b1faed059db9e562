import type { ReactNode } from "react";
import { readWebAddress } from "./web-address.ts";

export interface WebLinkProps {
  readonly href: string;
  /** The link text; without it, the address. */
  readonly children?: ReactNode;
  /** The link text as plain text. */
  readonly text: string;
}

/** An untrusted link. Shows its destination unless its text already does, and sends no referrer or opener there. */
export function WebLink({ href, children, text }: WebLinkProps): ReactNode {
  const address = readWebAddress(href);
  if (address === undefined) {
    return (
      <>
        {children ?? text}
        {text === href ? null : <span className="soft">{` (${href})`}</span>}
      </>
    );
  }
  return (
    <>
      <a href={address.href} target="_blank" rel="noopener noreferrer nofollow" title={address.href}>
        {children ?? text}
      </a>
      {[href, address.href].includes(text.trim()) ? null : <span className="soft">{` (${address.href})`}</span>}
    </>
  );
}
