import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { ReviewerRulesView } from "../../shared/contracts/reviews/reviewers.ts";
import { peopleApi } from "../api/people.ts";
import { useMe } from "../session.tsx";
import { reviewerTexts } from "../texts/people.ts";
import { linesOf, textIn } from "../ui/form-values.ts";
import { Field, Loading, Problem } from "../ui/parts.tsx";
import { CodeText } from "../ui/text/code-text.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { reviewerRulesQuery } from "./queries.ts";

/** Shows the rules that assign reviewers to a project's runs. Admins can change them. */
export function ReviewerRules({ project }: { project: string }) {
  const { data, error, refetch } = useQuery(reviewerRulesQuery(project));
  return (
    <section aria-labelledby="reviewer-rules" className="section">
      <h2 id="reviewer-rules">{reviewerTexts.rules}</h2>
      <p className="about">
        <CodeText text={reviewerTexts.rulesAbout} />
      </p>
      {error && !data && <Problem error={error} what={reviewerTexts.rulesThing} again={refetch} />}
      {!data && !error && <Loading what={reviewerTexts.rulesThing} />}
      {data && <Rules key={JSON.stringify(data.rules)} loaded={data} />}
    </section>
  );
}

/** A rule in the form. The key stays the same while others are removed. */
interface Row {
  key: number;
  routes: string[];
  reviewers: string[];
}

function Rules({ loaded: { project, rules } }: { loaded: ReviewerRulesView }) {
  const { may } = useMe();
  const client = useQueryClient();
  const showToast = useToast();
  const [rows, setRows] = useState<Row[]>(() => rules.map((rule, key) => ({ key, ...rule })));
  const { mutate, isPending } = useMutation({
    mutationFn: (body: Pick<ReviewerRulesView, "rules">) => peopleApi.putReviewerRules(project, body),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
    onSuccess(answer) {
      client.setQueryData(reviewerRulesQuery(project).queryKey, answer);
      showToast({ text: reviewerTexts.rulesSaved });
    },
  });
  if (!may("admin"))
    return (
      <>
        {rules.length === 0 ? <p className="empty">{reviewerTexts.noRules}</p> : <RuleList rules={rules} />}
        <p className="quiet">{reviewerTexts.forAdmins}</p>
      </>
    );
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const read = rows.map(({ key }) => ({
      routes: linesOf(textIn(form, `routes-${key}`)),
      reviewers: textIn(form, `reviewers-${key}`)
        .split(/[\s,]+/)
        .map(login => login.replace(/^@/, ""))
        .filter(login => login !== ""),
    }));
    mutate({ rules: read });
  };
  return (
    <form className="form reviewer-rules" onSubmit={submit}>
      {rows.length === 0 && <p className="empty">{reviewerTexts.noRules}</p>}
      {rows.map(({ key, routes, reviewers }, index) => (
        <fieldset key={key} className="item">
          <legend>{reviewerTexts.rule(index + 1)}</legend>
          <Field label={reviewerTexts.routes}>
            <textarea
              name={`routes-${key}`}
              rows={2}
              required
              spellCheck={false}
              placeholder={reviewerTexts.routesExample}
              defaultValue={routes.join("\n")}
            />
          </Field>
          <Field label={reviewerTexts.reviewers}>
            <input
              name={`reviewers-${key}`}
              required
              autoComplete="off"
              spellCheck={false}
              defaultValue={reviewers.join(", ")}
            />
          </Field>
          <button type="button" onClick={() => setRows(rows.filter(row => row.key !== key))}>
            {reviewerTexts.removeRule(index + 1)}
          </button>
        </fieldset>
      ))}
      <div className="section-end">
        <button
          type="button"
          onClick={() =>
            setRows([
              ...rows,
              { key: Math.max(-1, ...rows.map(row => row.key)) + 1, routes: [], reviewers: [] },
            ])
          }
        >
          {reviewerTexts.addRule}
        </button>
        {(rows.length > 0 || rules.length > 0) && (
          <button type="submit" className="primary" disabled={isPending}>
            {reviewerTexts.saveRules}
          </button>
        )}
      </div>
    </form>
  );
}

function RuleList({ rules }: Pick<ReviewerRulesView, "rules">) {
  return (
    <ul className="rows" aria-label={reviewerTexts.rules}>
      {rules.map(({ routes, reviewers }) => (
        <li key={`${routes.join()} ${reviewers.join()}`}>
          <code>{routes.join(", ")}</code>
          <span>
            {reviewerTexts.to} {reviewers.join(", ")}
          </span>
        </li>
      ))}
    </ul>
  );
}
