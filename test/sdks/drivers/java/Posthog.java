import com.posthog.java.PostHog;
import java.util.Map;

/** Sends by PostHog's first SDK for Java what its input names. */
class Posthog {
    public static void main(String[] arguments) throws Exception {
        PostHog sdk = new PostHog.Builder(arguments[1]).host(arguments[0] + "/collect").build();
        Marks.each((name, at) -> {
            Map<String, Object> mark = Map.of("mark", name);
            if (at % 3 == 0) sdk.capture("u-1", "Order Placed", mark);
            else if (at % 3 == 1) sdk.identify("u-1", mark);
            else sdk.set("u-1", mark);
        });
        sdk.shutdown();
    }
}
