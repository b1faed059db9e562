import type { PolicyCheck, PolicyRules, PolicyTrial, PolicyView } from "@earshot/hub";
import { PRESET_CHOICES, presetText } from "@earshot/policy";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { announceInRegion } from "../../announce/regions.ts";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { useMayDecide } from "../../hub/use-hub.ts";
import { FilePath } from "../../parts/file-path.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { usePageLocation } from "../../route.ts";
import { homePath } from "../../words/home-path.ts";
import { AcceptDialog } from "./accept-dialog.tsx";
import { withLineEndsOf } from "./place-in-text.ts";
import { type EditorHandle, RuleEditor } from "./rule-editor.tsx";
import { TextEffect } from "./text-effect.tsx";
import { PolicyTrialPart } from "./trial.tsx";
import { trialInShort } from "./trial-view.tsx";
import { TroubleList } from "./trouble-list.tsx";
import { useCheck } from "./use-check.ts";
import { usePolicy } from "./use-policy.ts";
import { useUserAction } from "./use-user-action.ts";

/** The rule editor: checks while typing, runs trials over past requests, and shows what the rules allow before saving. */
export function PolicyEditor(): ReactNode {
  const { policy, rules } = usePolicy();
  if (policy.answer === undefined || rules.answer === undefined) {
    return policy.problem === undefined ? <p className="soft">Loading.</p> : <ProblemNote problem={policy.problem} />;
  }
  const again = () => {
    policy.again();
    rules.again();
  };
  return <Editing view={policy.answer} file={rules.answer.file} onSaved={again} />;
}

interface EditingProps {
  readonly view: PolicyView;
  readonly file: PolicyRules["file"];
  readonly onSaved: () => void;
}

interface Asking {
  readonly check: PolicyCheck;
  readonly text: string;
}

function Editing({ view, file, onSaved }: EditingProps): ReactNode {
  const mayDecide = useMayDecide();
  const editor = useRef<EditorHandle>(null);
  const asItStands = (file.text ?? "").replaceAll("\r\n", "\n");
  const wanted = usePageLocation().query.get("preset");
  const preset = PRESET_CHOICES.find(({ name }) => file.text === null && name === wanted);
  const [{ text, base }, setDraft] = useState(
    () => readDraft() ?? { text: preset === undefined ? asItStands : presetText(preset), base: file.hash ?? "" },
  );
  const [tried, setTried] = useState<{ readonly text: string; readonly trial: PolicyTrial }>();
  const [asking, setAsking] = useState<Asking>();
  const [saved, setSaved] = useState<string>();
  const { isBusy, problem, run } = useUserAction();
  const { checked, problem: checkProblem, checkNow } = useCheck(text, { standing: view.hash, original: file.text });
  const check = checked?.text === text ? checked.check : undefined;
  const own = view.path.split(/[\\/]/).at(-1) ?? view.path;
  const isChanged = text !== asItStands;
  const isOvertaken = base !== (file.hash ?? "");

  // A changed file replaces a draft with equal text, or an absent draft, without asking.
  useEffect(() => {
    if (isOvertaken && text === asItStands) setDraft({ text, base: file.hash ?? "" });
  }, [isOvertaken, text, asItStands, file.hash]);
  useEffect(() => keepDraft(isChanged ? { text, base } : undefined), [isChanged, text, base]);
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isChanged]);

  const write = (next: string) => {
    setSaved(undefined);
    setDraft((draft) => ({ ...draft, text: next }));
  };
  const takeFile = () => {
    setDraft({ text: asItStands, base: file.hash ?? "" });
    editor.current?.focus();
  };
  const put = async (accepts: string | undefined) => {
    const body = { text: withLineEndsOf(file.text, text), base, ...(accepts === undefined ? {} : { accepts }) };
    const { pending } = await requestAsDevice<PolicyView>("POST", "/api/policy/text", body);
    const told = pending === null ? "Saved. These rules are active now." : "Saved. They become active when an approver accepts them.";
    setAsking(undefined);
    setSaved(told);
    announceInRegion("polite", told);
    keepDraft(undefined);
    onSaved();
  };
  const save = () =>
    void run(async () => {
      setSaved(undefined);
      const now = await checkNow(text);
      const [first] = now.troubles.filter(({ severity }) => severity === "error");
      if (!now.ok && first !== undefined) {
        editor.current?.goTo(first.line, first.column);
        throw new Error("Nothing was saved: the rules have errors.");
      }
      if (now.accepts === null) await put(undefined);
      else setAsking({ check: now, text });
    });
  return (
    <>
      <FileNotes
        view={view}
        file={file}
        isOvertaken={isOvertaken && isChanged}
        onTake={takeFile}
        onKeep={() => setDraft({ text, base: file.hash ?? "" })}
      />
      <Presets isOpen={file.text === null} onChoose={(preset) => write(preset)} />
      <RuleEditor ref={editor} text={text} onChange={write} label={`Rules in ${own}`} check={check} own={own} />
      <div className="editor-bar">
        <button
          type="button"
          className="button primary"
          aria-disabled={isBusy || !mayDecide || !isChanged}
          onClick={() => mayDecide && isChanged && save()}
        >
          Save the rules
        </button>
        <button type="button" className="button" aria-disabled={!isChanged} onClick={() => isChanged && takeFile()}>
          Back to the file
        </button>
        <p className={problem === undefined ? "editor-said soft" : "editor-said problem"}>
          {problem ?? saved ?? (mayDecide ? (isChanged ? "Not saved." : "Same as the file.") : "Only an approver can save. You can try.")}
        </p>
      </div>
      {checkProblem === undefined ? null : <p className="problem">{checkProblem}</p>}
      <TroubleList troubles={check?.troubles ?? []} own={own} onGo={(line, column) => editor.current?.goTo(line, column)} />
      {check === undefined || !check.ok ? null : <TextEffect check={check} view={view} text={text} />}
      <PolicyTrialPart text={text} isUsable={check?.ok === true} tried={tried} onTried={setTried} />
      {asking === undefined ? null : (
        <AcceptDialog
          check={asking.check}
          path={homePath(view.path, view.home)}
          before={view.text}
          after={asking.text}
          tried={tried?.text === asking.text ? trialInShort(tried.trial) : undefined}
          isBusy={isBusy}
          problem={problem}
          onSave={(how) => void run(() => put(how === "accepted" ? (asking.check.accepts ?? undefined) : undefined))}
          onCancel={() => setAsking(undefined)}
        />
      )}
    </>
  );
}

/** Edited rules, and the file that they replace. */
interface Draft {
  readonly text: string;
  /** Hash of that file. */
  readonly base: string;
}

const KEY = "earshot-policy-draft";

/** Drafts are kept per tab and survive navigation. */
function readDraft(): Draft | undefined {
  try {
    const { text, base } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Partial<Draft>;
    return typeof text === "string" && typeof base === "string" ? { text, base } : undefined;
  } catch {
    return undefined; // storage that is switched off, or not ours
  }
}

function keepDraft(draft: Draft | undefined): void {
  try {
    if (draft === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Storage is disabled or full: the draft lasts as long as the page.
  }
}

interface FileNotesProps {
  readonly view: PolicyView;
  readonly file: PolicyRules["file"];
  readonly isOvertaken: boolean;
  readonly onTake: () => void;
  readonly onKeep: () => void;
}

/** Facts about the file to know before overwriting it. */
function FileNotes({ view, file, isOvertaken, onTake, onKeep }: FileNotesProps): ReactNode {
  return (
    <>
      <p>
        {file.text === null && file.hash !== null ? "There is no file yet. Saving creates " : "This is the file "}
        <FilePath path={view.path} home={view.home} />.
      </p>
      {file.hash === null ? <p className="problem">The file cannot be read, so it cannot be saved from here. {view.troubles[0]}</p> : null}
      {view.pending === null ? null : (
        <p className="edge-warn policy-note">The file allows more than the active rules and must be accepted first. Saving replaces it.</p>
      )}
      {isOvertaken ? (
        <div className="edge-warn policy-note">
          <p>The file was changed in the meantime. Your text is still here and was not saved.</p>
          <p className="policy-actions">
            <button type="button" className="button" onClick={onTake}>
              Load the file's text
            </button>
            <button type="button" className="button" onClick={onKeep}>
              Keep my text and save it over the file
            </button>
          </p>
        </div>
      ) : null}
    </>
  );
}

/** Presets to start from, numbered as in `earshot init`. */
function Presets({ isOpen, onChoose }: { readonly isOpen: boolean; readonly onChoose: (text: string, name: string) => void }): ReactNode {
  const id = useId();
  return (
    <details className="presets" open={isOpen}>
      <summary>Begin with a preset</summary>
      <p id={id} className="soft">
        It replaces the text in the editor. Nothing is written until you save.
      </p>
      <ol className="preset-list">
        {PRESET_CHOICES.map((preset, index) => (
          <li key={preset.name} className="preset">
            <p>
              <strong>{preset.name}</strong>
              {`: ${preset.does}.`}
            </p>
            <button type="button" className="button" aria-describedby={id} onClick={() => onChoose(presetText(preset), preset.name)}>
              {`Use ${index + 1}: ${preset.name}`}
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}
