import { Component, type ReactNode } from "react";

interface FaultBoundaryProps {
  children: ReactNode;
}

/**
 * Stands in for a page that could not be drawn: most often a part of the dashboard that is gone since the service was
 * brought up to date while the page was open. Loading it anew brings the new one.
 */
export class FaultBoundary extends Component<FaultBoundaryProps, { hasFailed: boolean }> {
  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override state: { hasFailed: boolean } = { hasFailed: false };

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div className="problem" role="alert">
        <p>
          <strong>This page could not be shown.</strong> The service may have been brought up to date since it
          was opened, or does not answer.
        </p>
        <button type="button" onClick={() => location.reload()}>
          Load it anew
        </button>
      </div>
    );
  }
}
