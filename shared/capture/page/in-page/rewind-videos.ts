import type { PageRecord } from "./track-page.ts";

/**
 * Shows the first frame of the videos that `freezePage` stopped. A seek ends only while the browser's clock runs. It is
 * sent to the page as text: it must use nothing from outside its body.
 */
export async function rewindVideos(): Promise<void> {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  if (!record?.hasFrames) return;
  const videos = record.stoppedVideos;
  const frames = async (count: number): Promise<void> => {
    for (let frame = 0; frame < count; frame++) await record.frame();
  };
  // The browser drops a video frame while the previous one is being presented. A stopped video sends no other.
  await frames(4);
  for (const video of videos) video.currentTime = 0;
  do await frames(1);
  while (videos.some(video => video.seeking));
  await frames(1);
}
