import type { ActivityBase, ActivityDetails, ActivityKind } from "@earshot/protocol/activities";
import type { Saying } from "./saying.ts";

/** The activity of one kind. */
export type OfKind<Kind extends ActivityKind> = { [One in Kind]: ActivityBase & { readonly kind: One } & ActivityDetails[One] }[Kind];

/** How each kind is told. What a teller passes on as `rest` it has not told: that is added under its own names. */
export type Tellers<Kind extends ActivityKind> = { readonly [One in Kind]: (activity: OfKind<One>) => Told };

export interface Told extends Saying {
  readonly rest: object;
}
