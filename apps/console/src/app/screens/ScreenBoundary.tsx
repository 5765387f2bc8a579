import { Component, type ErrorInfo, type ReactNode } from 'react';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { texts } from '../texts.ts';

interface State {
  error: unknown;
  failed: boolean;
}

/** Keeps a failure inside the screen where it happened: tabs and account go on working. */
export class ScreenBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null, failed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, failed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <ErrorState
        error={this.state.error}
        title={texts.screenFailed}
        retryLabel={texts.reload}
        onRetry={() => window.location.reload()}
      >
        {texts.screenFailedNext}
      </ErrorState>
    );
  }
}
