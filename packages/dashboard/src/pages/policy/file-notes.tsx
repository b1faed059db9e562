import type { PolicyRules, PolicyView } from "@earshot/hub";
import type { ReactNode } from "react";
import { FilePath } from "../../parts/file-path.tsx";

export interface FileNotesProps {
  readonly view: PolicyView;
  readonly file: PolicyRules["file"];
  readonly isOvertaken: boolean;
  readonly onTake: () => void;
  readonly onKeep: () => void;
}

/** What is to be known about the file before one writes over it. */
export function FileNotes({ view, file, isOvertaken, onTake, onKeep }: FileNotesProps): ReactNode {
  return (
    <>
      <p>
        {file.text === null && file.hash !== null ? "There is no file yet: saving makes " : "This is the file "}
        <FilePath path={view.path} home={view.home} />.
      </p>
      {file.hash === null ? <p className="problem">The file cannot be read, so it cannot be saved from here. {view.troubles[0]}</p> : null}
      {view.pending === null ? null : (
        <p className="edge-warn policy-note">
          The file lets more through than what counts, and waits to be accepted. What you save takes its place.
        </p>
      )}
      {isOvertaken ? (
        <div className="edge-warn policy-note">
          <p>The file was changed meanwhile. What you wrote is still here, and was not saved.</p>
          <p className="policy-actions">
            <button type="button" className="button" onClick={onTake}>
              Take the file's text
            </button>
            <button type="button" className="button" onClick={onKeep}>
              Keep mine, to be saved over it
            </button>
          </p>
        </div>
      ) : null}
    </>
  );
}
