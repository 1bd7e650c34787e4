import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { AppLocation } from "../app-location.ts";
import { navigate } from "../navigation.tsx";
import { compareTexts } from "../texts/runs/compare.ts";
import { Copyable, Loading, Problem, useTitle } from "../ui/parts.tsx";
import "../baselines/baselines.css";
import "./compare.css";
import { ComparisonResult } from "./comparison-result.tsx";
import { choicesQuery, comparisonQuery } from "./queries.ts";
import { choiceOf, textOfChoice } from "./side-choice.ts";
import { SidePicker } from "./side-picker.tsx";

type CompareLocation = Extract<AppLocation, { page: "compare" }>;

/** Compares any two sides. */
export function ComparePage({ location }: { location: CompareLocation }) {
  useTitle(compareTexts.title);
  const { base, head, baseEnvironment, headEnvironment } = location;
  const key = [base, head, baseEnvironment, headEnvironment].join(" ");
  return (
    <>
      <div className="page-head">
        <h1>{compareTexts.title}</h1>
      </div>
      {base && head ? (
        <details className="sides-choice">
          <summary>{compareTexts.change}</summary>
          <SideForm key={key} location={location} />
        </details>
      ) : (
        <>
          <p className="about">{compareTexts.about}</p>
          <SideForm key={key} location={location} />
        </>
      )}
      {base && head ? (
        <Comparison key={`result ${key}`} location={{ ...location, base, head }} />
      ) : (
        <div className="empty">
          <p>{compareTexts.empty}</p>
          <Copyable text={compareTexts.command} />
        </div>
      )}
    </>
  );
}

function SideForm({ location }: { location: CompareLocation }) {
  const { data: choices } = useQuery(choicesQuery);
  const [base, setBase] = useState(() => choiceOf(location.base, location.baseEnvironment));
  const [head, setHead] = useState(() => choiceOf(location.head, location.headEnvironment));
  const [isIncomplete, setIncomplete] = useState(false);
  const open = (one: typeof base, other: typeof head) => {
    const [baseText, headText] = [textOfChoice(one), textOfChoice(other)];
    setIncomplete(baseText === null || headText === null);
    if (baseText === null || headText === null) return;
    const environmentOf = ({ kind, environment }: typeof base) =>
      kind === "monitor" ? undefined : environment.trim() || undefined;
    const [baseEnvironment, headEnvironment] = [environmentOf(one), environmentOf(other)];
    navigate({
      ...{ page: "compare", base: baseText, head: headText },
      ...(baseEnvironment !== undefined && { baseEnvironment }),
      ...(headEnvironment !== undefined && { headEnvironment }),
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    open(base, head);
  };
  return (
    <form className="sides" onSubmit={submit} noValidate>
      <SidePicker name={compareTexts.base} choice={base} choices={choices} onChange={setBase} />
      <SidePicker name={compareTexts.head} choice={head} choices={choices} onChange={setHead} />
      <div className="sides-end">
        <button type="submit" className="primary">
          {compareTexts.compare}
        </button>
        <button
          type="button"
          onClick={() => {
            setBase(head);
            setHead(base);
            if (location.base && location.head) open(head, base);
          }}
        >
          {compareTexts.swap}
        </button>
        {isIncomplete && (
          <p className="fault" role="alert">
            {compareTexts.incomplete}
          </p>
        )}
      </div>
    </form>
  );
}

function Comparison({ location }: { location: CompareLocation & { base: string; head: string } }) {
  const { base, head, baseEnvironment, headEnvironment } = location;
  const sides = {
    ...{ base, head },
    ...(baseEnvironment && { baseEnvironment }),
    ...(headEnvironment && { headEnvironment }),
  };
  const { data, error, refetch } = useQuery(comparisonQuery(sides));
  if (data) return <ComparisonResult comparison={data} location={location} />;
  if (error) return <Problem error={error} what={compareTexts.subject} again={refetch} />;
  return <Loading what={compareTexts.subject} />;
}
