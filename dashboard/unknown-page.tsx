import { Link } from "./navigation.tsx";
import { shellTexts } from "./texts/shell.ts";
import { useTitle } from "./ui/parts.tsx";

export function UnknownPage() {
  useTitle(shellTexts.notFound);
  return (
    <>
      <h1>{shellTexts.notFound}</h1>
      <p className="detail">{shellTexts.notFoundWhy}</p>
      <p className="actions spaced">
        <Link className="button" to={{ page: "runs", filters: {} }}>
          {shellTexts.goToRuns}
        </Link>
      </p>
    </>
  );
}
