import type { ReactNode } from "react";

/** A part of a card under its own heading. Not a region: a page of cards would have dozens with the same name. */
export function CardPart({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="card-part">
      <h3>{title}</h3>
      {children}
    </div>
  );
}
