import { commonTexts } from "../texts/common.ts";
import { reviewTexts } from "../texts/review.ts";
import { Dialog } from "../ui/dialog.tsx";
import { REVIEW_KEYS } from "./keys.ts";

export function KeySheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={reviewTexts.keys} onClose={onClose} className="key-sheet">
      <dl>
        {REVIEW_KEYS.map(({ act, shown, label }) => (
          <div key={act}>
            <dt>
              <kbd>{shown}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={onClose}>
        {commonTexts.close}
      </button>
    </Dialog>
  );
}
