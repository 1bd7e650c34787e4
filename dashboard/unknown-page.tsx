import { Link } from "./location.tsx";
import { useTitle } from "./ui/parts.tsx";

export function UnknownPage() {
  useTitle("Not found");
  return (
    <>
      <h1>There is nothing here</h1>
      <p className="detail">
        The address may have been cut off on its way.{" "}
        <Link to={{ page: "runs", filters: {} }}>See the runs</Link>.
      </p>
    </>
  );
}
