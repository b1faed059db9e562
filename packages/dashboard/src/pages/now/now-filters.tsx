import { type ReactNode, useId } from "react";
import { refine, usePlace } from "../../route.ts";

/** Which sessions are shown. Stands in the address, so that it can be kept and sent. */
export function NowFilters(): ReactNode {
  const { query } = usePlace();
  const id = useId();
  return (
    <search aria-label="Sessions shown" className="filters">
      <label htmlFor={`${id}-protocol`}>Protocol</label>
      <select
        id={`${id}-protocol`}
        value={query.get("protocol") ?? ""}
        onChange={({ currentTarget }) => refine({ protocol: currentTarget.value })}
      >
        <option value="">all</option>
        <option value="aep">AEP</option>
        <option value="aop">AOP</option>
        <option value="aaep">AAEP</option>
      </select>
      <label htmlFor={`${id}-agent`}>Agent</label>
      <input
        id={`${id}-agent`}
        value={query.get("agent") ?? ""}
        placeholder="any"
        onChange={({ currentTarget }) => refine({ agent: currentTarget.value })}
      />
    </search>
  );
}
