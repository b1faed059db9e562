import { defineRule } from "../rule.ts";
import { member, PROMPT, part, spoken } from "./example-events.ts";

export const CONTENT_RULES = {
  "aep/content-part": defineRule(
    [
      "warning",
      "event",
      3,
      "Event types",
      ["prompt.submitted", "model.thought", "model.response", "model.delta", "model.plan", "question.answered"],
    ],
    {
      title: "An event that conveys text has a content part of its own type.",
      hint: 'Add a part to `content`, for example `{ "type": "prompt", "text": "…" }` for `prompt.submitted`.',
      examples: () => spoken("prompt.submitted", { content: [part("prompt")] }, { content: [part("answer")] }),
    },
  ),
  "aep/notification-part": defineRule(["error", "event", 2, "Event types", ["notification.sent"]], {
    title: "`notification.sent` has a content part of type `notification`.",
    hint: 'Put what the user should read into `content` as `{ "type": "notification", "text": "…" }`.',
    examples: () => spoken("notification.sent", { content: [part("notification")] }, { content: [part("thought")] }),
  }),
  "aep/question-part": defineRule(["error", "event", 2, "Event types", ["question.asked"]], {
    title: "`question.asked` has a content part of type `question`.",
    hint: 'Put the question into `content` as `{ "type": "question", "text": "…" }`.',
    examples: () => spoken("question.asked", { content: [part("question")] }, {}),
  }),
  "aep/display-style": defineRule(["warning", "event", 3, "Display styles", ["*/content"]], {
    title: "`style` is one of the twelve display styles.",
    hint: "Use one of the twelve, such as `markdown` or `plain_text`. Consumers may ignore an unknown style.",
    examples: () => ({
      passes: [{ ...PROMPT, content: [part("prompt", { style: "markdown" })] }],
      fails: [{ ...PROMPT, content: [part("prompt", { style: "comic" })] }],
    }),
  }),
  "aep/content-object": defineRule(["error", "event", 2, "Objects in detail", ["*/content"]], {
    title: "`content` is a list of parts whose members have the right types.",
    hint: "Each part is an object: `type`, `text` and `style` are strings, `truncated` is true or false, `original_length` is a number.",
    examples: () => member("content", [part("thought")], [part("thought", { truncated: "yes" })]),
  }),
  "aep/content-type": defineRule(["error", "event", 2, "Objects in detail", ["*/content"]], {
    title: "The `type` of a content part is one of the seven.",
    hint: "Use `prompt`, `thought`, `response`, `plan`, `notification`, `question` or `answer`.",
    examples: () => member("content", [part("thought")], [part("thought"), part("poem")]),
  }),
  "aep/attachments-object": defineRule(["error", "event", 2, "Objects in detail", ["*/attachments"]], {
    title: "`attachments` is a list of objects whose members have the right types.",
    hint: "Sizes and durations are numbers, everything else is a string.",
    examples: () => member("attachments", [{ type: "image", width: 64 }], [{ type: "image", width: "64px" }]),
  }),
  "aep/attachment-type": defineRule(["error", "event", 2, "Objects in detail", ["*/attachments"]], {
    title: "The `type` of an attachment is `image`, `video`, `audio` or `file`.",
    hint: "Use `file` for what is neither image, video nor audio.",
    examples: () => member("attachments", [{ type: "file" }], [{ type: "pdf" }]),
  }),
} as const;
