import type { ReactNode } from "react";
import { PageLink } from "../../parts/link.tsx";
import { hrefOf, usePageLocation } from "../../route.ts";
import { PolicyEditor } from "./edit.tsx";
import { PolicyExplainer } from "./explain.tsx";
import { PolicyOverview } from "./overview.tsx";

const PARTS = [
  { part: "", name: "Rules", title: "Rules", view: PolicyOverview },
  { part: "edit", name: "Edit and try", title: "Edit and try the rules", view: PolicyEditor },
  { part: "explain", name: "Explain", title: "Explain an action", view: PolicyExplainer },
] as const;

/** The policy: shown, tested, edited, explained. Each part has its own address. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function PolicyPage(): ReactNode {
  const { rest } = usePageLocation();
  const here = PARTS.find(({ part }) => part === (rest[0] ?? "")) ?? PARTS[0];
  return (
    <div className="policy">
      <h1>{here.title}</h1>
      <nav aria-label="Rules">
        <ul className="parts-list">
          {PARTS.map(({ part, name }) => (
            <li key={part}>
              <PageLink
                href={hrefOf("policy", ...(part === "" ? [] : [part]))}
                className="part-link"
                aria-current={part === here.part ? "page" : undefined}
              >
                {name}
              </PageLink>
            </li>
          ))}
        </ul>
      </nav>
      <here.view />
    </div>
  );
}
