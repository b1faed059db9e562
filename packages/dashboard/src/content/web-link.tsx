import type { ReactNode } from "react";
import { hostOf, readWebAddress } from "./web-address.ts";

export interface WebLinkProps {
  readonly href: string;
  /** What it says; without it, the address. */
  readonly children?: ReactNode;
  /** The same as plain text. */
  readonly text: string;
}

/** A link of somebody else's. It says where it leads wherever its words do not, and takes nothing of us there. */
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
  const host = hostOf(address);
  return (
    <>
      <a href={address.href} target="_blank" rel="noopener noreferrer nofollow" title={address.href}>
        {children ?? text}
      </a>
      {[href, address.href, host].includes(text.trim()) ? null : <span className="soft">{` (${host})`}</span>}
    </>
  );
}
