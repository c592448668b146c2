import com.posthog.server.*;
import java.util.Map;

/** Sends by PostHog's SDK for servers what its input names. */
class PosthogServer {
    public static void main(String[] arguments) throws Exception {
        var builder = PostHogConfig.builder(arguments[1]).host(arguments[0] + "/collect").preloadFeatureFlags(false);
        if (arguments[2].equals("paced")) builder.flushAt(5).flushIntervalSeconds(1);
        PostHogInterface sdk = PostHog.with(builder.build());
        Marks.each((name, at) -> {
            Map<String, String> mark = Map.of("mark", name);
            if (at % 3 == 0) sdk.capture("u-1", "Order Placed", PostHogCaptureOptions.builder().properties(mark).build());
            else if (at % 3 == 1) sdk.identify("u-1", mark);
            else sdk.group("u-1", "company", "acme", mark);
        });
        sdk.flush();
        sdk.close();
    }
}
