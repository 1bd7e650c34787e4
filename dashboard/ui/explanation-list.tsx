import type { Explanation } from "../../shared/contracts/runs/explanation.ts";
import { EXPLANATION_TEXTS } from "../../shared/report/texts.ts";
import { CodeText } from "./text/code-text.tsx";

/** Lists why a screenshot changed: causes, what followed from them, and changes for assistive technology. */
export function ExplanationList({
  explanation: { causes, effects, accessibility },
}: {
  explanation: Explanation;
}) {
  const lists: [title: string, texts: string[]][] = [
    [EXPLANATION_TEXTS.causes, causes.map(({ text }) => text)],
    [EXPLANATION_TEXTS.effects, effects],
    [EXPLANATION_TEXTS.accessibility, accessibility.map(({ text }) => text)],
  ];
  return lists.map(
    ([title, texts]) =>
      texts.length > 0 && (
        <section key={title}>
          <p className="quiet">{title}</p>
          <ul>
            {texts.map(text => (
              <li key={text}>
                <CodeText text={text} />
              </li>
            ))}
          </ul>
        </section>
      ),
  );
}
