import type { Activity, ActivityKind } from "@earshot/protocol/activities";
import type { DescriptionWords, Narration } from "./narration.ts";

export type OfKind<Kind extends ActivityKind> = Extract<Activity, { readonly kind: Kind }>;

/** The description of one activity kind. Members in `rest` are not described and are listed under their own names. */
export type ItemDescription = Omit<Narration, "quotes" | "facts" | "tone"> &
  Partial<Pick<Narration, "quotes" | "facts" | "tone">> & { readonly rest: object };

export type Describers<Kind extends ActivityKind> = {
  readonly [One in Kind]: (activity: OfKind<One>, words: DescriptionWords) => ItemDescription;
};
