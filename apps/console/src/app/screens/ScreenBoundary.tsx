import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { texts } from '../texts.ts';

interface State {
  error: unknown;
  failed: boolean;
}

interface ScreenBoundaryProps {
  /** Title of the screen, shown above the error. */
  title: string;
  children: ReactNode;
}

/** Confines a failure to its screen: tabs and account menu keep working. */
export class ScreenBoundary extends Component<ScreenBoundaryProps, State> {
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
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Typography variant="h1" tabIndex={-1}>
          {this.props.title}
        </Typography>
        <ErrorState
          error={this.state.error}
          title={texts.screenFailed}
          retryLabel={texts.reload}
          onRetry={() => window.location.reload()}
        >
          {texts.screenFailedNext}
        </ErrorState>
      </Box>
    );
  }
}
