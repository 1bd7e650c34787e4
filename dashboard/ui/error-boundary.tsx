import { Component, type ReactNode } from "react";
import { commonTexts } from "../texts/common.ts";

interface ErrorBoundaryProps {
  children: ReactNode;
}

/**
 * Stands in for a page that failed to render. Most often the service was updated while the page was open, and a part of
 * the dashboard is gone: reloading loads the new one.
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
