import com.posthog.server.*;
import java.util.Map;

/** Sends by PostHog's SDK for servers: five calls at once, then a pause, until all are sent. */
class PosthogServer {
    public static void main(String[] arguments) throws Exception {
        PostHogInterface sdk = PostHog.with(
            PostHogConfig.builder(arguments[1]).host(arguments[0] + "/collect").flushAt(5).flushIntervalSeconds(1).preloadFeatureFlags(false).build()
        );
        String[] marks = arguments[2].split(" ");
        for (int at = 0; at < marks.length; at++) {
            Map<String, String> mark = Map.of("mark", marks[at]);
            if (at % 3 == 0) sdk.capture("u-1", "Order Placed", PostHogCaptureOptions.builder().properties(mark).build());
            else if (at % 3 == 1) sdk.identify("u-1", mark);
            else sdk.group("u-1", "company", "acme", mark);
            if (at % 5 == 4) Thread.sleep(300);
        }
        sdk.flush();
        // Nothing of the SDK waits for its retries.
        System.in.read();
        sdk.close();
    }
}
