import type { Segment } from "@earshot/narrate";
import { Fragment, type ReactNode } from "react";

/** The text of an announcement, each part marked with its own language. */
export function AnnouncementText({ segments }: { readonly segments: readonly Segment[] }): ReactNode {
  return segments.map(({ text, language }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one announcement never change
    <Fragment key={index}>
      {index === 0 ? null : " "}
      <bdi lang={language}>{text}</bdi>
    </Fragment>
  ));
}
