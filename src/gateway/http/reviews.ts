// Statements that wait for a review.
import { decideReview, listReviews } from '../../contract/reviews.ts';
import { OK } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveReviews(serve: Serve, { reviews }: Services): void {
  serve(listReviews, (_asked, who) => ({ items: [...reviews.list(who)] }));
  serve(decideReview, ({ params, body: { decision, reason } }, who) => {
    reviews.decide(who, params.id, decision, reason);
    return OK;
  });
}
