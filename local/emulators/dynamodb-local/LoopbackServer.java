import java.util.stream.Stream;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/** DynamoDB Local at one address of loopback: by itself it listens on every interface. Arguments: host, port, folder. */
public class LoopbackServer {
  public static void main(String[] args) throws Exception {
    var common = Stream.of("-disableTelemetry", "-port", args[1]);
    // Data in a folder outlives the access keys of a run; in memory, each access key has tables of its own.
    var place = args.length > 2 ? Stream.of("-sharedDb", "-dbPath", args[2]) : Stream.of("-inMemory");
    var settings = Stream.concat(common, place).toArray(String[]::new);
    var proxy = ServerRunner.createServerFromCommandLineArgs(settings);
    var server = DynamoDBProxyServer.class.getDeclaredField("server");
    server.setAccessible(true);
    for (var connector : ((Server) server.get(proxy)).getConnectors())
      ((ServerConnector) connector).setHost(args[0]);
    proxy.start();
    proxy.join();
  }
}
