import { Component, type ReactNode } from "react";
import { commonTexts } from "../texts/common.ts";

interface ErrorBoundaryProps {
  children: ReactNode;
}

/**
 * Replaces a page that failed to render. Usually the service was updated while the page was open, and a part
 * of the dashboard is missing. A reload loads the new version.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override state: { hasFailed: boolean } = { hasFailed: false };

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div className="problem" role="alert">
        <p>
          <strong>{commonTexts.pageFailed}</strong> {commonTexts.pageFailedWhy}
        </p>
        <button type="button" onClick={() => location.reload()}>
          {commonTexts.reloadPage}
        </button>
      </div>
    );
  }
}
