import { Component, type ReactNode } from 'react';
import { InternalError } from './pages.tsx';

/** Catches what a screen throws while drawing, so that the frame and its terminals live on. */
export class ErrorBoundary extends Component<
  {
    readonly children: ReactNode;
    /** There is no frame around what it holds. */
    readonly whole?: boolean;
  },
  { readonly error: Error | null }
> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error('something went wrong') };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <InternalError
        message={error.message || 'something went wrong'}
        onRetry={() => this.setState({ error: null })}
        whole={this.props.whole === true}
      />
    );
  }
}
